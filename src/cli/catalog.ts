import { Argument, Command } from 'commander'
import { topicNames, topicOf } from './catalog/topics.js'

/** `nemesis catalog [TOPIC]`: what the method offers, as text or data. */
export function catalogCommand(): Command {
  return new Command('catalog')
    .description(
      'techniques, pitfalls, oracle patterns, faults, checkers and boundaries; what fits a symptom',
    )
    .addArgument(
      new Argument(
        '[topic...]',
        `${topicNames.join(', ')}, the id of a technique or pitfall, or words of a symptom`,
      ),
    )
    .option('--json', 'print it as JSON')
    .action((words: readonly string[], { json }: { json?: true }) => {
      const { text, data } = topicOf(words)
      process.stdout.write(`${json === true ? JSON.stringify(data, null, 2) : text()}\n`)
    })
}
