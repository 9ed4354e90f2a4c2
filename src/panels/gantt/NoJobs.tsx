/** A scenario without a single job: bare ground would look like a page that is broken. Says so, and what to do. */
import { run } from "../../store/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";

export function NoJobs() {
  return (
    <div className="gantt-empty">
      <Message
        title="No jobs: the cluster stands idle"
        action={
          <>
            <Button
              label="Add a job"
              look="primary"
              onClick={() => run("openSide", { side: "inject" })}
            />{" "}
            <Button label="Describe a workload" onClick={() => run("openWorkload")} />
          </>
        }
      >
        One job at the cursor, or classes of jobs that come all the time. A log dropped on the page
        brings its own.
      </Message>
    </div>
  );
}
