import Docker from 'dockerode'

const engine = new Docker()

/** Containers (helpers too), networks and volumes that carry the label of one of the runs, in words. */
export async function dockerLeftovers(runs) {
  const { containers, networks, volumes } = await labelled(runs)
  return [
    ...containers.map(({ Names, State }) => `container ${Names[0]} (${State})`),
    ...networks.map(({ Name }) => `network ${Name}`),
    ...volumes.map(({ Name }) => `volume ${Name}`),
  ]
}

/** Where the engine keeps the network namespaces of the running containers of the runs: a path that no other ever has. */
export async function sandboxes(runs) {
  const { containers } = await labelled(runs)
  const inspected = await Promise.allSettled(containers.map(({ Id }) => engine.getContainer(Id).inspect()))
  return inspected
    .map(({ value }) => value?.NetworkSettings.SandboxKey ?? '')
    .filter((path) => path !== '' && !path.endsWith('/default'))
}

/** Removes what `dockerLeftovers` names, so that a trial which failed leaves nothing to the next. */
export async function removeDocker(runs) {
  const { containers, networks, volumes } = await labelled(runs)
  for (const one of [
    ...containers.map(
      ({ Id }) =>
        () =>
          engine.getContainer(Id).remove({ force: true, v: true }),
    ),
    ...networks.map(
      ({ Id }) =>
        () =>
          engine.getNetwork(Id).remove(),
    ),
    ...volumes.map(
      ({ Name }) =>
        () =>
          engine.getVolume(Name).remove(),
    ),
  ]) {
    await one().catch((error) => {
      // Gone by now: a volume without a name of its own goes with its container.
      if (error.statusCode !== 404) throw error
    })
  }
}

/** What carries the label of a run, or of a part of it, which is named after it. */
async function labelled(runs) {
  const filters = JSON.stringify({ label: ['nemesis.run'] })
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    engine.listContainers({ all: true, filters }),
    engine.listNetworks({ filters }),
    engine.listVolumes({ filters }),
  ])
  const isOurs = ({ Labels }) => {
    const of = Labels?.['nemesis.run']
    return runs.some((run) => of === run || of?.startsWith(`${run}-`))
  }
  return {
    containers: containers.filter(isOurs),
    networks: networks.filter(isOurs),
    volumes: (volumes ?? []).filter(isOurs),
  }
}
