/**
 * What links say often, the most frequent last: deflate begins with it in memory, so that a short link need not spell it out. Part of the form of a link
 * and therefore frozen: another list needs another mark before the payload (`codec.ts`), or links that were made with this one open no more.
 */
export const LINK_WORDS = [
  '"slurm":{"conf":"ClusterName=","nodes":"","text":"SlurmctldHost=',
  "\\nNodeName= Gres=gpu: RealMemory= State=UNKNOWN\\nPartitionName= Default=YES MaxTime=\\nSchedulerType=sched/backfill\\nPriorityType=priority/multifactor",
  '"failures":[{"mtbfMs":"repairMs":"repairSpread":"windows":[{"startMs":"endMs":"everyMs":"nodeCount":"reserve","flags":["users":["accounts":["partition":"',
  '"services":[{"demand":{"points":"swing":"peakMs":"perSec":"minReplicas":1,"maxReplicas":"gpusPerReplica":"startupMs":"requestMs":"latencyMs":"concurrency":',
  '"network":{"nvlinkGBps":"nicGBps":"oversubscription":"allReduceGiB":"storage":{"readGBps":"writeGBps":"sizeGiB":',
  '"elastic":{"minMembers":"maxMembers":"scaling":"onSignal":"checkpoint":{"costMs":60000,"every":1200000,"restoreMs":60000},"components":[{"members":"gpusPerMember":"ownNode":true,"gpuModel":"migProfile":"gpuShareMilli":"cpusPerMember":"memGiBPerMember":',
  '"limits":[{"team":"gpus":"jobs":"quotaGpus":"lendGpus":"borrowGpus":"shares":"guaranteedGpus":"pricePerGpuHour":"spotMeanMs":"burst":{',
  '"synthetic":[{"arrivals":{"pattern":"diurnal","perHour":"pattern":"bursts","burstJobs":"gpus":[{"value":1,"weight":"value":8,"weight":"value":4,"weight":"value":2,"weight":"limitFactor":[1.1,3],"names":["users":"wholeNodesFrom":8,"work":{"medianMs":7200000,"leastMs":"mostMs":"spread":"shape":"exponential","untilMs":',
  '"kind":"interactive","kind":"inference","kind":"batch","kind":"ci","trace":{"bytes":"format":"swf","layout":"anywhere","name":"sha256":"',
  '"tiers":[{"id":"critical","letter":"C","name":"Critical"{"id":"high","letter":"H","name":"High"{"id":"normal","letter":"N","name":"Normal"{"id":"low","letter":"L","name":"Low","preempts":["preemptible":false,"kinds":["',
  '"version":1,"workload":{"jobs":[{"cpusPerGpu":10,"gpus":8,"gpusPerNode":8,"id":"limitMs":7200000,"memGiBPerGpu":100,"nodes":1,"submitMs":0,"team":"tier":"normal","user":"workMs":3600000}',
  '{"calendarStart":"2026-03-02T08:00:00","cluster":{"fabric":{"leavesPerSpine":"nodesPerLeaf":4},"nodeGroups":[{"count":8,"cpus":96,"gpus":8,"id":"h100","memGiB":1024,"gpuMemGiB":"gpuModel":"A100","labels":{"numaDomains":2,"nvswitchNodes":18,"flat":true},"horizonMs":86400000,"killAtLimit":false,',
  '"pools":[{"id":"all","policy":{"preset":"slurm","kueue","settings":{"order":"shortest","estimates":"quota":"borrow","reclaim","preemption":"requeue","checkpoint","victims":"mostOverShare","placement":"pack","spread","topology":"required","preferred","agingMs":"reservations":"depth":"backfill":"none"}}}],"question":"","seed":1,"teams":["title":"',
  '"user",5,[["tier",5,[["normal","high","low","critical"],"team",5,[["gpusPerNode",1,8],["id",4,["job-",1,1]],["nodes",5,[[1,2,4],"within":"leaf","within":"nvswitch","gang":false,"preemptible":false,"after":[{"job":"',
  '{"":[50,["gpus",5,[[8,1,4,2,16],"01"]],["id",4,["job-",1,1]],["limitMs",2,[3600000,["limitMs",2,[60000,["submitMs",3,[60000,0,["submitMs",3,[1000,0,["workMs",2,[60000,["workMs",2,[1000,',
  '[[["seed"],2]][[["title"],"[["pools",0,"policy","settings",{"[["workload","jobs",0,"workMs"],7200000],[["cluster","nodeGroups",0,"count"],16],[["interventions"],[{"',
  '"atMs":3600000,"hold":true,"noticed":true,"kind":"requeue","job":"kind":"suspend","kind":"update","nice":"priority":"kind":"top","kind":"unreserve","kind":"resume","nodes":["kind":"fail","nodes":["kind":"retier","job":"tier":"high"},"kind":"cancel","job":"kind":"hold","kind":"release","job":',
  '"kind":"inject","note":"Injected","job":{"gpus":8,"id":"injected-1","limitMs":7200000,"tier":"normal","team":"workMs":3600000}}',
  '[[["interventions"],[{"atMs":"kind":"policy","note":"EASY backfill","policy":{"settings":{"backfill":"conservative"}}}',
  '"policy":{"settings":{"backfill":"easy"}}}]]][[["interventions"],[{"atMs":3600000,"kind":"drain","nodes":["h100-003"]}]]]',
].join("");
