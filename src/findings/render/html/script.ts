/**
 * What makes the page answer: tells what is under the pointer, moves through a plot by the arrow keys, and stretches its
 * time. Without it the page loses nothing but that. Texts are only ever set as texts.
 */
export const script = `'use strict'
{
  const reading = document.getElementById('reading')
  let told = null

  const textOf = (mark, rows) => {
    if (mark.dataset.say !== undefined) return mark.dataset.say
    const [id, call, process, began, took, outcome, node, fault] = [...rows[Number(mark.dataset.o)].cells].map((cell) => cell.textContent)
    const by = node === '-' ? '' : ', answered by ' + node
    const under = fault === '-' ? '' : ', under ' + fault
    return 'op ' + id + ': ' + call + ', process ' + process + ', at ' + began + ', ' + (took === 'no answer' ? took : 'took ' + took) + ', ' + outcome + by + under
  }

  const tell = (mark, rows, x, y) => {
    if (told !== mark) {
      told?.classList.remove('told')
      told = mark
      mark.classList.add('told')
      reading.textContent = textOf(mark, rows)
    }
    const { offsetWidth: width, offsetHeight: height } = reading
    reading.style.left = Math.max(8, Math.min(x + 12, innerWidth - width - 8)) + 'px'
    reading.style.top = (y + 18 + height > innerHeight ? Math.max(8, y - height - 12) : y + 18) + 'px'
  }

  const hush = () => {
    told?.classList.remove('told')
    told = null
    reading.textContent = ''
  }

  /** Bars may be as thin as a hair: what is a little beside the pointer is meant too. */
  const near = (x, y) => {
    let stretch = null
    for (const [dx, dy] of [[0, 0], [-2, 0], [2, 0], [-5, 0], [5, 0], [0, -4], [0, 4]]) {
      const mark = document.elementFromPoint(x + dx, y + dy)?.closest('[data-o],[data-say]')
      if (mark?.dataset.o !== undefined) return mark
      stretch ??= mark
    }
    return stretch
  }

  for (const plot of document.querySelectorAll('[data-plot]')) {
    const area = plot.querySelector('.area')
    const rows = plot.closest('[data-run]')?.querySelectorAll('[data-operations] tbody tr')
    const stops = [...plot.querySelectorAll('.stop')]
    let at = -1
    area.addEventListener('pointermove', ({ clientX, clientY }) => {
      const mark = near(clientX, clientY)
      if (mark && area.contains(mark)) tell(mark, rows, clientX, clientY)
      else hush()
    })
    area.addEventListener('pointerleave', hush)
    area.addEventListener('blur', hush)
    area.addEventListener('keydown', (event) => {
      const target = { ArrowRight: at + 1, ArrowLeft: at - 1, PageDown: at + 20, PageUp: at - 20, Home: 0, End: stops.length - 1 }[event.key]
      if (event.key === 'Escape') hush()
      if (target === undefined || stops.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      at = Math.max(0, Math.min(stops.length - 1, target))
      const mark = stops[at]
      const frame = area.getBoundingClientRect()
      let box = mark.getBoundingClientRect()
      if (box.left < frame.left || box.right > frame.right) {
        area.scrollLeft += box.left + box.width / 2 - (frame.left + frame.width / 2)
        box = mark.getBoundingClientRect()
      }
      tell(mark, rows, Math.max(frame.left, box.left), Math.min(box.bottom, frame.bottom) - 12)
    })
  }
  addEventListener('scroll', hush, { passive: true })

  for (const run of document.querySelectorAll('[data-run]')) {
    const areas = [...run.querySelectorAll('.area')]
    const label = document.createElement('label')
    const select = document.createElement('select')
    for (const factor of [1, 2, 5, 20]) select.append(new Option(factor + ' times as wide', String(factor)))
    label.className = 'zoom'
    label.append('Plots ', select)
    run.querySelector('[data-plot]').before(label)
    select.addEventListener('change', () => {
      const [first] = areas
      const share = (first.scrollLeft + first.clientWidth / 2) / first.scrollWidth
      run.dataset.zoom = select.value
      for (const area of areas) area.scrollLeft = share * area.scrollWidth - area.clientWidth / 2
    })
    for (const area of areas) {
      area.addEventListener('scroll', () => {
        for (const other of areas) if (other !== area && Math.abs(other.scrollLeft - area.scrollLeft) > 1) other.scrollLeft = area.scrollLeft
      }, { passive: true })
    }
  }
}
`
