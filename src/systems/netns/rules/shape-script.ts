/** Where packets come from or go to that a queueing discipline is to hold. */
export interface ShapedEnd {
  readonly addresses: readonly string[]
  /** True when everything but the addresses is meant. */
  readonly others: boolean
}

/** The handle by which our root discipline is told from anybody else's. */
export const rootHandle = '6e65:'

/** A rate that is no limit: the classes are there to tell far ends apart. */
const unlimited = 'rate 100gbit quantum 60000'

/** The handle of the discipline of the i-th far end. */
export function endHandle(i: number): string {
  return `6e${(i + 2).toString(16).padStart(2, '0')}:`
}

/** Our device that stands in for what arrives on a device of the node. */
export function ingressDevice(device: string): string {
  return `nem_${device}`.slice(0, 15)
}

/**
 * The commands, for `tc -batch -`, that send what leaves a device for each far end (`by: 'dst'`), or comes from it
 * (`by: 'src'`), through a discipline of its own, and everything else straight on.
 */
export function shapeScript(
  { device, by }: { readonly device: string; readonly by: 'dst' | 'src' },
  ends: readonly ShapedEnd[],
  discipline: string,
): string {
  const on = `dev ${device}`
  const classOf = (i: number) => `${rootHandle}${(i + 2).toString(16)}`
  const to = (address: string, flow: string) =>
    address.includes(':')
      ? `filter add ${on} parent ${rootHandle} protocol ipv6 prio 2 u32 match ip6 ${by} ${address}/128 flowid ${flow}`
      : `filter add ${on} parent ${rootHandle} protocol ip prio 1 u32 match ip ${by} ${address}/32 flowid ${flow}`
  // An address that is named comes before the rest of the world, and the first filter that matches decides.
  const named = ends.flatMap((end, i) =>
    end.others ? [] : end.addresses.map((address) => to(address, classOf(i))),
  )
  const rest = ends.flatMap((end, i) =>
    end.others
      ? [
          ...end.addresses.map((address) => to(address, `${rootHandle}0`)),
          `filter add ${on} parent ${rootHandle} protocol ip prio 3 u32 match u32 0 0 flowid ${classOf(i)}`,
        ]
      : [],
  )
  return [
    `qdisc add ${on} root handle ${rootHandle} htb default 0`,
    ...ends.flatMap((_, i) => [
      `class add ${on} parent ${rootHandle} classid ${classOf(i)} htb ${unlimited}`,
      `qdisc add ${on} parent ${classOf(i)} handle ${endHandle(i)} ${discipline}`,
    ]),
    ...named,
    ...rest,
    '',
  ].join('\n')
}

/** The commands, for `tc -batch -`, that send what arrives on a device through the device that stands in for it. */
export function redirectScript(device: string): string {
  const mirror = `action mirred egress redirect dev ${ingressDevice(device)}`
  return [
    `qdisc add dev ${device} ingress`,
    `filter add dev ${device} parent ffff: protocol all prio 1 u32 match u32 0 0 ${mirror}`,
    '',
  ].join('\n')
}

/** The device by which a namespace reaches an IPv4 address: the longest match in its `/proc/net/route`. */
export function deviceTo(address: string, routes: string): string | null {
  const wanted = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const matches = routes
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter((columns) => columns.length > 7)
    .map((columns) => ({ device: columns[0] as string, base: word(columns[1]), mask: word(columns[7]) }))
    .filter(({ base, mask }) => (wanted & mask) >>> 0 === base)
    .sort((a, b) => b.mask - a.mask)
  return matches[0]?.device ?? null
}

/** The kernel prints the address in the machine's byte order, which is little-endian here. */
function word(hex: string | undefined): number {
  return Buffer.from(hex ?? '', 'hex').readUInt32LE()
}
