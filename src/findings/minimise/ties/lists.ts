/** Adds to one of several lists. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** How many of the items, whose places grow, are placed at or before the limit. */
export function countUpTo<Item>(
  items: readonly Item[],
  limit: number,
  place: (item: Item) => number,
): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (place(items[middle] as Item) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
