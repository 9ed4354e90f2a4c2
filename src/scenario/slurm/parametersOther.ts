/**
 * Parameters that are known by name and not heeded: those that bear on scheduling and are not modelled, and those that do not
 * bear on it (daemons, paths, authentication, logs), so that the notes on a site's configuration stay few. Slurm 22.05 and later.
 */
import type { Parameter, ParameterScope, Standing } from "./parameterKinds.ts";
import { manualLink } from "./parameterKinds.ts";

type Group = readonly [ParameterScope, Standing, sentence: string, names: string];

const notModelled: readonly Group[] = [
  ["global", "notModelled", "Licenses are not modelled.", "Licenses"],
  ["global", "notModelled", "Burst buffers are not modelled.", "BurstBufferType"],
  ["global", "notModelled", "Federations of clusters are not modelled.", "FederationParameters"],
  [
    "global",
    "notModelled",
    "Nodes are not powered up and down.",
    "SuspendTime SuspendProgram SuspendTimeout SuspendRate SuspendExcNodes SuspendExcParts SuspendExcStates ResumeProgram ResumeRate ResumeFailProgram PowerParameters PowerPlugin",
  ],
  [
    "global",
    "notModelled",
    "The most memory that a job may ask for is not checked.",
    "MaxMemPerCPU MaxMemPerNode",
  ],
  [
    "global",
    "notModelled",
    "Programs of a site that change jobs or priorities are not run.",
    "JobSubmitPlugins CliFilterPlugins PrioritySiteFactorPlugin PrioritySiteFactorParameters PriorityParameters",
  ],
  [
    "global",
    "notModelled",
    "Programs before and after a job take no time here.",
    "Prolog Epilog PrologSlurmctld EpilogSlurmctld PrologEpilogTimeout PrologFlags EpilogMsgTime ResvProlog ResvEpilog",
  ],
  [
    "global",
    "notModelled",
    "Exit codes that requeue a job are not modelled.",
    "RequeueExit RequeueExitHold",
  ],
  ["global", "notModelled", "Time past the end of a reservation is not modelled.", "ResvOverRun"],
  [
    "global",
    "notModelled",
    "Features that change with a reboot, and labels that keep users apart, are not modelled.",
    "NodeFeaturesPlugins MCSPlugin MCSParameters",
  ],
  ["global", "notModelled", "Cores kept for the system are not modelled.", "CoreSpecPlugin"],
  [
    "scheduler",
    "notModelled",
    "A variant of the backfill pass that is not modelled.",
    "bf_busy_nodes bf_hetjob_immediate bf_hetjob_prio bf_running_job_reserve bf_licenses bf_ignore_newly_avail_nodes bf_topopt_enable bf_topopt_iterations",
  ],
  [
    "scheduler",
    "notModelled",
    "It bears on scheduling and is not modelled.",
    "allow_zero_lic correspond_after_task_cnt delay_boot extra_constraints ignore_constraint_validation max_array_tasks permit_job_expansion preempt_send_user_signal spec_cores_first time_min_as_soft_limit whole_hetjob whole_pack requeue_setup_env_fail",
  ],
  [
    "partition",
    "notModelled",
    "It bears on scheduling and is not modelled.",
    "MaxMemPerCPU MaxMemPerNode MaxCPUsPerSocket AllowGroups AllowAllocNodes Alternate ReqResv RootOnly SelectTypeParameters ExclusiveTopo Topology PowerDownOnIdle SuspendTime SuspendTimeout ResumeTimeout",
  ],
  [
    "node",
    "notModelled",
    "It bears on what jobs can get and is not modelled.",
    "CoreSpecCount CPUSpecList MemSpecLimit TmpDisk RestrictedCoresPerGPU Topology",
  ],
  ["qos", "notModelled", "It bears on scheduling and is not modelled.", "MinTRESPerNode"],
  [
    "association",
    "notModelled",
    "It bears on scheduling and is not modelled.",
    "MaxJobsAccrue GrpCPURunMins MaxTRESRunMins WCKeys DefaultWCKey",
  ],
];

const ignored: readonly Group[] = [
  [
    "global",
    "ignored",
    "It names hosts, users, ports and paths.",
    "ClusterName ControlMachine ControlAddr BackupController BackupAddr SlurmctldHost SlurmctldAddr SlurmUser SlurmdUser SlurmctldPort SlurmdPort SrunPortRange StateSaveLocation SlurmdSpoolDir SlurmctldPidFile SlurmdPidFile PluginDir PlugStackConfig TmpFS MailProg MailDomain FirstJobId MaxJobId RebootProgram SlurmctldPrimaryOnProg SlurmctldPrimaryOffProg CheckpointType JobCheckpointDir",
  ],
  [
    "global",
    "ignored",
    "It is about authentication and communication.",
    "AuthType AuthAltTypes AuthAltParameters CredType CryptoType CommunicationParameters SlurmctldTimeout TCPTimeout TreeWidth EioTimeout KeepAliveTime GroupUpdateForce GroupUpdateTime MsgAggregationParams RoutePlugin RouteParam PrivateData UsePAM SlurmctldParameters SlurmdParameters PrepPlugins PrepParameters ScronParameters JobContainerType HashPlugin BcastExclude BcastParameters TLSType TLSParameters",
  ],
  [
    "global",
    "ignored",
    "It is about logs and records.",
    "SlurmctldDebug SlurmdDebug SlurmctldLogFile SlurmdLogFile SlurmSchedLogFile SlurmSchedLogLevel SlurmctldSyslogDebug SlurmdSyslogDebug LogTimeFormat DebugFlags JobCompType JobCompLoc JobCompHost JobCompUser JobCompPass JobCompPort JobCompParams JobAcctGatherType JobAcctGatherFrequency JobAcctGatherParams AcctGatherEnergyType AcctGatherNodeFreq AcctGatherFilesystemType AcctGatherInfinibandType AcctGatherInterconnectType AcctGatherProfileType ExtSensorsType ExtSensorsFreq AccountingStorageType AccountingStorageHost AccountingStorageBackupHost AccountingStorageExternalHost AccountingStorageUser AccountingStoragePass AccountingStoragePort AccountingStorageLoc AccountingStorageParameters AccountingStoreFlags AccountingStoreJobComment AccountingStorageTRES TrackWCKey",
  ],
  [
    "global",
    "ignored",
    "It is about processes within a running job.",
    "ProctrackType TaskPlugin TaskPluginParam SwitchType SwitchParameters MpiDefault MpiParams LaunchParameters LaunchType InteractiveStepOptions SallocDefaultCommand SrunProlog SrunEpilog TaskProlog TaskEpilog PropagatePrioProcess PropagateResourceLimits PropagateResourceLimitsExcept KillOnBadExit WaitTime UnkillableStepTimeout UnkillableStepProgram VSizeFactor MemLimitEnforce MaxStepCount MaxTasksPerNode CpuFreqDef CpuFreqGovernors GpuFreqDef JobFileAppend ContainerParameters X11Parameters",
  ],
  [
    "global",
    "ignored",
    "It is about how nodes register and are watched.",
    "FastSchedule GresTypes HealthCheckProgram HealthCheckInterval HealthCheckNodeState ResumeTimeout SlurmdMaxNodes MaxNodeCount DependencyParameters Parameters TopologyFile",
  ],
  ["global", "ignored", "It says how long the controller remembers a finished job.", "MinJobAge"],
  [
    "scheduler",
    "ignored",
    "It is about the load of the controller or about steps within a job.",
    "max_script_size max_submit_line_size max_rpc_cnt bf_yield_sleep bf_yield_rpc_cnt build_queue_timeout salloc_wait_nodes sbatch_wait_nodes default_gbytes nohold_on_prolog_fail Ignore_NUMA step_retry_count step_retry_time disable_hetjob_steps enable_hetjob_steps disable_job_shrink enable_job_state_cache",
  ],
  ["partition", "ignored", "It does not bear on scheduling.", "Hidden CpuBind"],
  [
    "node",
    "ignored",
    "It does not bear on scheduling.",
    "NodeAddr NodeHostname Port BcastAddr Reason CpuBind Boards Parameters",
  ],
];

/** In the order of the documents: those that matter first. */
export const OTHER_PARAMETERS: readonly Parameter[] = [...notModelled, ...ignored].flatMap(
  ([scope, standing, sentence, names]) =>
    names.split(" ").map(
      (name): Parameter => ({
        name,
        aliases: [],
        scope,
        kind: { is: "text" },
        standard: "",
        sentence,
        link: manualLink(scope, name),
        standing,
        fields: [],
      }),
    ),
);
