/** The card of what is selected beside jobs and nodes. */
import type { Selection } from "../../../store/state.ts";
import type { CardProps } from "../cardParts.tsx";
import { DecisionCard } from "./DecisionCard.tsx";
import { GpuCard } from "./GpuCard.tsx";
import { LeafCard } from "./LeafCard.tsx";
import { TeamCard } from "./TeamCard.tsx";

interface SubjectCardProps extends CardProps {
  readonly selection: NonNullable<Selection>;
}

/** The decision that is looked at, above what it is about; then that, where no other file has a card for it. */
export function SubjectCard({ selection, ...card }: SubjectCardProps) {
  const { cluster, teams } = card.stage;
  return (
    <>
      {"decision" in selection && selection.decision !== undefined && (
        <DecisionCard {...card} decision={selection.decision} />
      )}
      {selection.kind === "gpu" && selection.device < cluster.deviceCount && (
        <GpuCard {...card} device={selection.device} />
      )}
      {selection.kind === "leaf" && selection.leaf < cluster.leafCount && (
        <LeafCard {...card} leaf={selection.leaf} />
      )}
      {selection.kind === "team" && selection.team < teams.length && (
        <TeamCard {...card} team={selection.team} />
      )}
    </>
  );
}
