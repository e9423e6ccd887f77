import { describe, expect, test } from 'vitest'
import { establishedConnections, ownAddresses } from '../../../src/systems/netns/rules/connections.js'
import {
  chainsScript,
  commentedPackets,
  queuedPackets,
  undoScript,
} from '../../../src/systems/netns/rules/chains-script.js'
import { victimReadings } from '../../../src/systems/netns/rules/net-statistics.js'
import { nftScript } from '../../../src/systems/netns/rules/nft-script.js'
import { deviceTo, redirectScript, shapeScript } from '../../../src/systems/netns/rules/shape-script.js'
import { measuredConnections } from '../../../src/systems/netns/rules/round-trips.js'

const peer = { direction: 'in', addresses: ['10.213.0.2', 'fd00::2'], others: false } as const
const clients = { direction: 'in', addresses: ['10.213.0.2', '10.213.0.3'], others: true } as const

describe('an nft rule', () => {
  test('drops by address of either family and counts what passes after all filters', () => {
    expect(nftScript('nemesis_a', { kind: 'drop' }, [peer]).split('\n')).toEqual([
      'table inet nemesis_a {',
      'counter met_0 { }',
      'counter passed_0 { }',
      'counter seen_0 { }',
      'chain cut_in {',
      'type filter hook input priority -150; policy accept;',
      'ip saddr { 10.213.0.2 } counter name met_0 drop',
      'ip6 saddr { fd00::2 } counter name met_0 drop',
      '}',
      'chain pass_in {',
      'type filter hook input priority 200; policy accept;',
      'ip saddr { 10.213.0.2 } counter name passed_0',
      'ip6 saddr { fd00::2 } counter name passed_0',
      '}',
      '}',
      '',
    ])
  })

  test('takes clients as everything that is no node, and never the loopback device', () => {
    expect(nftScript('t', { kind: 'drop' }, [clients])).toContain(
      'iifname != "lo" ip saddr != { 10.213.0.2, 10.213.0.3 } counter name met_0 drop',
    )
    expect(nftScript('t', { kind: 'drop' }, [{ ...clients, direction: 'out' }])).toContain(
      'oifname != "lo" ip daddr != { 10.213.0.2, 10.213.0.3 } counter name met_0 drop',
    )
  })

  test('lets resets through where it answers with resets itself', () => {
    const script = nftScript('t', { kind: 'reject' }, [peer])
    expect(script.indexOf('tcp flags & rst == rst accept')).toBeLessThan(
      script.indexOf('reject with tcp reset'),
    )
    expect(script.indexOf('tcp flags & rst == rst accept')).toBeGreaterThan(0)
  })

  test('cuts what the kernel knows of connections apart', () => {
    const left = nftScript('t', { kind: 'drop', established: 'left' }, [peer])
    const cut = 'ip saddr { 10.213.0.2 } ct state & (established | related) == 0 counter name'
    expect(left).toContain(`${cut} met_0 drop`)
    expect(left).toContain(`${cut} passed_0`)
    expect(nftScript('t', { kind: 'reject', level: 'connections' }, [peer])).toContain(
      'ip saddr { 10.213.0.2 } ct direction original meta l4proto tcp counter name met_0 reject with tcp reset',
    )
    expect(nftScript('t', { kind: 'drop', level: 'packets', established: 'cut' }, [peer])).not.toContain(
      'ct ',
    )
  })

  test('counts what it sees beside what it loses', () => {
    const lines = nftScript('t', { kind: 'lose', share: 0.25 }, [peer]).split('\n')
    expect(lines).toContain('ip saddr { 10.213.0.2 } counter name seen_0')
    expect(lines).toContain(
      'ip saddr { 10.213.0.2 } numgen random mod 1000000 < 250000 counter name met_0 drop',
    )
  })

  test('only counts when it watches', () => {
    const script = nftScript('t', { kind: 'watch' }, [peer])
    expect(script).not.toMatch(/drop|reject/)
    expect(script).toContain('ip saddr { 10.213.0.2 } counter name passed_0')
  })
})

describe('iptables rules', () => {
  const queued = (queue: number) => [`-j NFQUEUE --queue-num ${queue} --queue-bypass`]
  const ends = [
    { ...clients, targets: queued(12) },
    { ...peer, targets: queued(11) },
  ]
  const place = { table: 'mangle', chain: 'N' } as const

  test('judge nodes first, then what is left for the clients', () => {
    expect(chainsScript(place, ends, 'ipv4')?.split('\n')).toEqual([
      '*mangle',
      ':N_in - [0:0]',
      '-A N_in -i lo -j RETURN',
      '-A N_in -s 10.213.0.2 -j NFQUEUE --queue-num 11 --queue-bypass',
      '-A N_in -s 10.213.0.2 -j RETURN',
      '-A N_in -s 10.213.0.3 -j RETURN',
      '-A N_in -j NFQUEUE --queue-num 12 --queue-bypass',
      '-I INPUT -j N_in',
      'COMMIT',
      '',
    ])
    expect(chainsScript(place, [{ ...clients, targets: queued(12) }], 'ipv6')).toBeNull()
  })

  test('are undone chain by chain, as far as they are there', () => {
    const listed = '-P INPUT ACCEPT\n-N N_in\n-N N_out\n-A INPUT -j N_in\n'
    expect(undoScript(place, listed)).toBe(
      '*mangle\n-D INPUT -j N_in\n-F N_in\n-X N_in\n-F N_out\n-X N_out\nCOMMIT\n',
    )
    expect(undoScript(place, '-P INPUT ACCEPT\n-N N_inner\n')).toBeNull()
  })

  test('are counted by comment', () => {
    const listing = `Chain N_in (1 references)
      40     3360            0    --  *      *       10.213.0.2           0.0.0.0/0            /* seen 0 */
      12     1008 DROP       0    --  *      *       10.213.0.2           0.0.0.0/0            statistic mode random probability 0.3 /* met 0 */
       7      588            0    --  *      *       10.213.0.3           0.0.0.0/0            /* seen 1 */`
    expect([...commentedPackets(listing, 'seen')]).toEqual([
      [0, 40],
      [1, 7],
    ])
    expect([...commentedPackets(listing, 'met')]).toEqual([[0, 12]])
  })

  test('are counted by queue', () => {
    const listing = `Chain N_in (1 references)
    pkts      bytes target     prot opt in     out     source               destination
       2      168 RETURN     0    --  lo     *       0.0.0.0/0            0.0.0.0/0
      17     1428 NFQUEUE    0    --  *      *       10.213.0.2           0.0.0.0/0            NFQUEUE num 11 bypass
       3      252 NFQUEUE    0    --  *      *       10.214.0.2           0.0.0.0/0            NFQUEUE num 11 bypass
       5      300 NFQUEUE    0    --  *      *       0.0.0.0/0            0.0.0.0/0            NFQUEUE num 12 bypass`
    expect([...queuedPackets(listing)]).toEqual([
      [11, 20],
      [12, 5],
    ])
  })
})

describe('shaping with tc', () => {
  test('gives each far end a class with its discipline, and lets the rest go straight on', () => {
    const ends = [
      { addresses: ['10.213.0.2', '10.213.0.3'], others: true },
      { addresses: ['10.213.0.3'], others: false },
    ]
    expect(shapeScript({ device: 'eth0', by: 'dst' }, ends, 'netem delay 80ms').trim().split('\n')).toEqual([
      'qdisc add dev eth0 root handle 6e65: htb default 0',
      'class add dev eth0 parent 6e65: classid 6e65:2 htb rate 100gbit quantum 60000',
      'qdisc add dev eth0 parent 6e65:2 handle 6e02: netem delay 80ms',
      'class add dev eth0 parent 6e65: classid 6e65:3 htb rate 100gbit quantum 60000',
      'qdisc add dev eth0 parent 6e65:3 handle 6e03: netem delay 80ms',
      'filter add dev eth0 parent 6e65: protocol ip prio 1 u32 match ip dst 10.213.0.3/32 flowid 6e65:3',
      'filter add dev eth0 parent 6e65: protocol ip prio 1 u32 match ip dst 10.213.0.2/32 flowid 6e65:0',
      'filter add dev eth0 parent 6e65: protocol ip prio 1 u32 match ip dst 10.213.0.3/32 flowid 6e65:0',
      'filter add dev eth0 parent 6e65: protocol ip prio 3 u32 match u32 0 0 flowid 6e65:2',
    ])
  })

  test('shapes what arrives by where it comes from, on a device of our own', () => {
    const ends = [{ addresses: ['10.213.0.2'], others: true }]
    expect(shapeScript({ device: 'nem_eth0', by: 'src' }, ends, 'pfifo')).toContain(
      'filter add dev nem_eth0 parent 6e65: protocol ip prio 1 u32 match ip src 10.213.0.2/32 flowid 6e65:0\n',
    )
    expect(redirectScript('eth0')).toContain('action mirred egress redirect dev nem_eth0\n')
  })

  test('finds the device by the longest match', () => {
    const routes = `Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t0131D50A\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth1\t00FED50A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0`
    expect(deviceTo('10.213.254.3', routes)).toBe('eth1')
    expect(deviceTo('10.213.49.3', routes)).toBe('eth0')
    expect(deviceTo('10.213.49.3', '')).toBeNull()
  })
})

describe('what the kernel says in a namespace', () => {
  test('established connections, IPv4 and IPv6', () => {
    const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1B58 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0303D50A:1B58 0203D50A:C350 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1`
    expect(establishedConnections(tcp)).toEqual([
      { local: '10.213.3.3', localPort: 7000, remote: '10.213.3.2', remotePort: 50_000 },
    ])
    const tcp6 = `  sl  local_address remote_address st
   0: 0000000000000000FFFF00000303D50A:1B58 0000000000000000FFFF00000203D50A:C350 01
   1: 000000FD000000000000000003000000:1B58 000000FD000000000000000002000000:C351 01`
    expect(establishedConnections(tcp6).map(({ remote }) => remote)).toEqual(['10.213.3.2', 'fd00::2'])
  })

  test('its own addresses without loopback', () => {
    const fibTrie = `Local:
  +-- 0.0.0.0/0 3 0 5
     |-- 10.213.3.2
        /32 host LOCAL
     |-- 10.213.3.255
        /32 link BROADCAST
        +-- 127.0.0.0/8 2 0 2
           |-- 127.0.0.1
              /32 host LOCAL
`
    const ifInet6 = `00000000000000000000000000000001 01 80 10 80       lo
fe8000000000000000420afffed50302 05 40 20 80     eth0
`
    expect(ownAddresses(fibTrie, ifInet6)).toEqual(['10.213.3.2', 'fe80::42:aff:fed5:302'])
  })

  test('counters of suffering', () => {
    const snmp =
      'Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm AttemptFails EstabResets RetransSegs\nTcp: 1 3 2 50\n'
    const netstat = 'TcpExt: SyncookiesSent TCPTimeouts\nTcpExt: 0 7\n'
    expect(victimReadings('n1', [snmp, netstat]).map(({ signal, value }) => [signal, value])).toEqual([
      ['TCP segments sent again', 50],
      ['TCP timeouts', 7],
      ['TCP connection attempts failed', 3],
      ['TCP connections reset', 2],
    ])
  })

  test('round trips of connections', () => {
    const printed = `0      4344          10.213.3.3:7000     10.213.3.2:41234 cubic wscale:7,7 rto:364 rtt:80.321/20.1 ato:40
FIN-WAIT-1 0      0      [::ffff:10.213.3.3]:7000   [::ffff:10.213.3.1]:50000 bbr rto:204 rtt:0.05/0.02 mss:1448`
    expect(measuredConnections(printed)).toEqual([
      { remote: '10.213.3.2', waitingBytes: 4_344, rttMs: 80.321 },
      { remote: '10.213.3.1', waitingBytes: 0, rttMs: 0.05 },
    ])
  })
})
