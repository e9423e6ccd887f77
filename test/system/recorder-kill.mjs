// Records as fast as it can until it is killed; says on stdout how many operations were answered.
import { startClock } from '../../dist/src/history/clock.js'
import { Recorder } from '../../dist/src/history/recorder.js'

const recorder = new Recorder({ file: process.argv[2], clock: startClock() })
recorder.openWindow('F1')
recorder.invoke({ process: 'stuck', type: 'write', key: 'x', input: 'stuck', node: 'n1' })
for (let value = 0; ; value++) {
  const write = recorder.invoke({ process: value % 3, type: 'write', key: 'x', input: value, node: 'n1' })
  write.ok(value)
  if (value % 50 === 0) await new Promise((resolve) => process.stdout.write(`${value + 1}\n`, resolve))
}
