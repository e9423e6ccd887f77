import type { FaultDefinition } from '../fault.js'
import { asymmetricPartition, type AsymmetricPartitionOptions } from './asymmetric-partition.js'
import { bandwidth, type BandwidthOptions } from './bandwidth.js'
import { bitFlip, type BitFlipOptions } from './bit-flip.js'
import { clockRate, type ClockRateOptions } from './clock-rate.js'
import { clockSkew, type ClockSkewOptions } from './clock-skew.js'
import { backupRestoreRace, type BackupRestoreRaceOptions } from './backup-restore-race.js'
import { corruption, type CorruptionOptions } from './corruption.js'
import { diskFull, type DiskFullOptions } from './disk-full.js'
import { fsyncFailure, type FsyncFailureOptions } from './fsync-failure.js'
import { kill, type KillOptions } from './kill.js'
import { latency, type LatencyOptions } from './latency.js'
import { packetLoss, type PacketLossOptions } from './packet-loss.js'
import { partition, type PartitionOptions } from './partition.js'
import { pause, type PauseOptions } from './pause.js'
import { powerLoss, type PowerLossOptions } from './power-loss.js'
import { restart, type RestartOptions } from './restart.js'
import { slowDisk, type SlowDiskOptions } from './slow-disk.js'
import { stop, type StopOptions } from './stop.js'
import { compaction, type CompactionOptions } from './compaction.js'
import { configDivergence, type ConfigDivergenceOptions } from './config-divergence.js'
import { credentialDivergence, type CredentialDivergenceOptions } from './credential-divergence.js'
import { mixedVersion, type MixedVersionOptions } from './mixed-version.js'
import { reconfiguration, type ReconfigurationOptions } from './reconfiguration.js'
import { rollingRestart, type RollingRestartOptions } from './rolling-restart.js'
import { rollingUpgrade, type RollingUpgradeOptions } from './rolling-upgrade.js'
import { slowFollower, type SlowFollowerOptions } from './slow-follower.js'
import { splitBrain, type SplitBrainOptions } from './split-brain.js'

/** What each fault of the taxonomy is told, by its name. */
export interface FaultOptions {
  kill: KillOptions
  stop: StopOptions
  pause: PauseOptions
  restart: RestartOptions
  partition: PartitionOptions
  'asymmetric-partition': AsymmetricPartitionOptions
  latency: LatencyOptions
  'packet-loss': PacketLossOptions
  bandwidth: BandwidthOptions
  'disk-full': DiskFullOptions
  'power-loss': PowerLossOptions
  'slow-disk': SlowDiskOptions
  'bit-flip': BitFlipOptions
  'fsync-failure': FsyncFailureOptions
  corruption: CorruptionOptions
  'backup-restore-race': BackupRestoreRaceOptions
  'clock-skew': ClockSkewOptions
  'clock-rate': ClockRateOptions
  'rolling-restart': RollingRestartOptions
  'split-brain': SplitBrainOptions
  'slow-follower': SlowFollowerOptions
  'mixed-version': MixedVersionOptions
  'rolling-upgrade': RollingUpgradeOptions
  'config-divergence': ConfigDivergenceOptions
  'credential-divergence': CredentialDivergenceOptions
  compaction: CompactionOptions
  reconfiguration: ReconfigurationOptions
}

export type FaultName = keyof FaultOptions

/** The taxonomy. A fault is added by its own file, a row here and a row in `FaultOptions`. */
export const faults: { readonly [Name in FaultName]: FaultDefinition<FaultOptions[Name]> } = {
  kill,
  stop,
  pause,
  restart,
  partition,
  'asymmetric-partition': asymmetricPartition,
  latency,
  'packet-loss': packetLoss,
  bandwidth,
  'disk-full': diskFull,
  'power-loss': powerLoss,
  'slow-disk': slowDisk,
  'bit-flip': bitFlip,
  'fsync-failure': fsyncFailure,
  corruption,
  'backup-restore-race': backupRestoreRace,
  'clock-skew': clockSkew,
  'clock-rate': clockRate,
  'rolling-restart': rollingRestart,
  'split-brain': splitBrain,
  'slow-follower': slowFollower,
  'mixed-version': mixedVersion,
  'rolling-upgrade': rollingUpgrade,
  'config-divergence': configDivergence,
  'credential-divergence': credentialDivergence,
  compaction,
  reconfiguration,
}
