import { describe, expect, test } from 'vitest'
import { inventoryOf } from '../../../src/environment/toolbox/inventory/inventory.js'
import { subsystemOf } from '../../../src/environment/toolbox/inventory/test-case.js'
import { readProject } from '../../../src/environment/toolbox/project.js'
import { repositoryOf } from './repository.js'

/** `framework line name` of the tests in one file. */
function testsIn(file: string, text: string, others: Readonly<Record<string, string>> = {}): string[] {
  const texts = new Map([...Object.entries(others), [file, text]])
  return inventoryOf(texts).map(({ framework, line, name }) => `${framework} ${line} ${name}`)
}

describe('finds the tests of', () => {
  test('the layouts, with framework, file, name and subsystem', async () => {
    const all = async (layout: 'etcd' | 'tikv' | 'testcontainers-node') => {
      const { texts } = await readProject(await repositoryOf(layout), () => true)
      return inventoryOf(texts).map(
        ({ framework, file, line, name, subsystem }) => `${framework} ${file}:${line} ${name} (${subsystem})`,
      )
    }
    expect(await all('etcd')).toEqual([
      'go test server/etcdserver/server_test.go:5 TestPut (server/etcdserver)',
      'go test server/storage/wal/wal_test.go:5 TestSaveIsSynced (server/storage)',
      'go test server/storage/wal/wal_test.go:7 TestRepairAfterTornWrite (server/storage)',
      'go test tests/e2e/ctl_v3_kv_test.go:9 TestCtlV3Put (e2e)',
      'go test tests/integration/clientv3/connectivity/network_partition_test.go:5 TestBalancerUnderNetworkPartitionPut (integration/clientv3)',
      'go test tests/integration/v3_lease_test.go:5 TestV3LeasePromote (integration)',
      'go test tests/robustness/main_test.go:7 TestRobustnessExploratory (robustness)',
      'go test tests/robustness/main_test.go:9 TestRobustnessRegression (robustness)',
    ])
    expect(await all('tikv')).toEqual([
      'cargo test components/raftstore/src/store/peer.rs:13 test_propose_conf_change (raftstore/store)',
      'cargo test tests/failpoints/cases/test_conf_change.rs:4 test_destroy_local_reader (failpoints)',
      'cargo test tests/failpoints/cases/test_conf_change.rs:10 test_write_after_destroy (failpoints)',
      'cargo test tests/failpoints/cases/test_snap.rs:2 test_overlap_cleanup (failpoints)',
      'cargo test tests/integrations/raftstore/test_lease_read.rs:2 test_lease_expired (integrations/raftstore)',
    ])
    expect(await all('testcontainers-node')).toEqual([
      'vitest packages/modules/kafka/src/kafka-container.test.ts:4 should connect to a running broker (kafka)',
      'vitest packages/testcontainers/src/common/retry.test.ts:4 should retry until timeout (testcontainers/common)',
      'vitest packages/testcontainers/src/common/retry.test.ts:8 should take %s attempts (testcontainers/common)',
      'vitest packages/testcontainers/src/generic-container/generic-container-restart.test.ts:4 should restart (testcontainers/generic-container)',
    ])
  })

  test('node:test, mocha and jest', () => {
    expect(testsIn('test/a.mjs', "import test from 'node:test'\ntest('keeps', () => {})\n")).toEqual([
      'node:test 2 keeps',
    ])
    const mocha = { 'package.json': '{ "devDependencies": { "mocha": "^11" } }' }
    expect(testsIn('test/a.js', "describe('a', () => {\n  it('keeps', () => {})\n})\n", mocha)).toEqual([
      'mocha 2 keeps',
    ])
    const jest = {
      'package.json': '{ "devDependencies": { "mocha": "^11" } }',
      'packages/b/package.json': '{ "devDependencies": { "jest": "^30" } }',
    }
    expect(testsIn('packages/b/__tests__/a.ts', "it('isn\\'t lost', () => {})\n", jest)).toEqual([
      "jest 1 isn\\'t lost",
    ])
    expect(testsIn('a.test.ts', "it('keeps', () => {})\n")).toEqual(['unknown (JavaScript) 1 keeps'])
  })

  test('scenarios of this package, but nothing that is skipped, or is no test', () => {
    const text = [
      "import { scenario } from 'vitest-nemesis'",
      "scenario('kept_under_partition', {})",
      "scenario.todo('later', {})",
      "emit('x')",
      "a.test('y')",
      "const it2 = split('z')",
    ].join('\n')
    expect(testsIn('a.scenario.ts', text)).toEqual(['vitest 2 kept_under_partition'])
    expect(testsIn('src/a.ts', "test('no test file', () => {})")).toEqual([])
  })

  test('pytest and JUnit', () => {
    expect(
      testsIn(
        'tests/test_a.py',
        'class TestA:\n    def test_kept(self):\n        pass\n\nasync def test_later():\n    pass\n',
      ),
    ).toEqual(['pytest 2 test_kept', 'pytest 5 test_later'])
    expect(
      testsIn(
        'src/test/java/ATest.java',
        '@Test\npublic void keeps() {}\n\n@ParameterizedTest\n@ValueSource(ints = {1})\nvoid keepsAll(int n) {}\n',
      ),
    ).toEqual(['JUnit 2 keeps', 'JUnit 6 keepsAll'])
    expect(testsIn('ATest.kt', '@Test\nfun `keeps what it has`() {}\n')).toEqual([
      'JUnit 2 keeps what it has',
    ])
  })

  test('Go, without benchmarks and what sets tests up', () => {
    expect(
      testsIn(
        'a_test.go',
        'func TestMain(m *testing.M) {}\nfunc TestA(t *testing.T) {}\nfunc BenchmarkA(b *testing.B) {}\nfunc Testing() {}\nfunc FuzzA(f *testing.F) {}\n',
      ),
    ).toEqual(['go test 2 TestA', 'go test 5 FuzzA'])
  })
})

test('a subsystem is what the folders are about, not how code is laid out', () => {
  expect(subsystemOf('packages/api/src/users/a.test.ts')).toBe('api/users')
  expect(subsystemOf('test/a.test.ts')).toBe('test')
  expect(subsystemOf('a.test.ts')).toBe('.')
})
