import Docker from 'dockerode'

const engine = new Docker()

/** Containers (helpers too), networks and volumes that carry the label of one of the runs, in words. */
export async function dockerLeftovers(runs) {
  const found = await Promise.all(runs.map(labelled))
  return found.flat()
}

/** Ids of the running containers of the runs, with the pid of each one's first process. */
export async function runningContainers(runs) {
  const found = await Promise.all(runs.map((run) => engine.listContainers({ filters: byRun(run) })))
  const inspected = await Promise.allSettled(found.flat().map(({ Id }) => engine.getContainer(Id).inspect()))
  return inspected
    .flatMap(({ value }) => (value === undefined ? [] : [{ id: value.Id, pid: value.State.Pid }]))
    .filter(({ pid }) => pid > 0)
}

/** Removes what `dockerLeftovers` names, so that a trial which failed leaves nothing to the next. */
export async function removeDocker(runs) {
  for (const run of runs) {
    for (const { Id } of await engine.listContainers({ all: true, filters: byRun(run) })) {
      await engine.getContainer(Id).remove({ force: true, v: true })
    }
    for (const { Id } of await engine.listNetworks({ filters: byRun(run) }))
      await engine.getNetwork(Id).remove()
  }
}

async function labelled(run) {
  const filters = byRun(run)
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    engine.listContainers({ all: true, filters }),
    engine.listNetworks({ filters }),
    engine.listVolumes({ filters }),
  ])
  return [
    ...containers.map(({ Names, State }) => `container ${Names[0]} (${State})`),
    ...networks.map(({ Name }) => `network ${Name}`),
    ...(volumes ?? []).map(({ Name }) => `volume ${Name}`),
  ]
}

function byRun(run) {
  return JSON.stringify({ label: [`nemesis.run=${run}`] })
}
