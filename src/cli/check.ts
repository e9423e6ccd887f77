import { Command, Option } from 'commander'
import { checkerNames } from '../checkers/named.js'
import { modelNames } from '../models/named.js'
import { checkCorpus } from './check/corpus.js'
import { checkFiles } from './check/files.js'
import { readRequest, type RawOptions } from './check/options.js'

/**
 * `nemesis check FILE… --model M` judges recorded histories; `nemesis check --index INDEX.json` a corpus with the right
 * answers. Exit code 0 when all hold (agree), 1 on a violation (mismatch), 2 on a file that cannot be read, 3 when some
 * answer is unknown. Throws DeclarationError on options that do not fit.
 */
export function checkCommand(): Command {
  return new Command('check')
    .description('judge recorded histories by a model')
    .argument('[files...]', 'histories: one operation a line, or one Jepsen-style event a line')
    .option('--model <name>', `what the object is: ${modelNames.join(', ')}`)
    .option('--checker <name>', `how to judge: ${checkerNames.join(', ')} (default: linearizable)`)
    .option('--level <name>', 'the consistency level to judge, by the checker of that name')
    .addOption(
      new Option(
        '--format <name>',
        'what a line is: an operation, or a Jepsen-style event (default: told by the first line)',
      ).choices(['native', 'jepsen']),
    )
    .option('--init <json>', 'the state before the first operation')
    .addOption(
      new Option(
        '--null-read <meaning>',
        'what a null read saw: an absent value, or it is not known',
      ).choices(['absent', 'unknown']),
    )
    .addOption(
      new Option(
        '--failed <meaning>',
        'a failed operation says nothing, or a failed CAS met another value',
      ).choices(['ignored', 'observed']),
    )
    .option('--timeout <seconds>', 'time for each history, after which the answer is unknown', '60')
    .option('--max-memory <MB>', 'memory of the process, beyond which the answer is unknown')
    .option('--audit <file>', 'what the system itself recorded of the run: tells retries that a client hides')
    .option(
      '--mutants <count>',
      'whether the checker would have noticed: asks it about so many violations made of a history that holds',
    )
    .option(
      '--minimise [file]',
      'of a violation, the smallest part of the history that is one too; written to the file as a history of its own',
    )
    .option('--index <file>', 'check a corpus: an index of histories with the right answers')
    .option('--json', 'one JSON object a line')
    .action(async (files: string[], raw: RawOptions) => {
      const request = readRequest(files, raw)
      process.exitCode = await (request.kind === 'index' ? checkCorpus(request) : checkFiles(request))
    })
}
