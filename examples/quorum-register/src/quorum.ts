import { RegisterError, type ErrorCode } from './protocol.js'

/**
 * The first `size` answers, in the order in which they came. A replica that does not answer holds up nobody else.
 *
 * Rejects with `code` as soon as too many have failed for that many to be left.
 */
export function quorumOf<Answer>(
  answers: readonly Promise<Answer>[],
  size: number,
  code: ErrorCode,
): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const got: Answer[] = []
    const failures: string[] = []
    for (const answer of answers) {
      answer.then(
        (value) => {
          got.push(value)
          if (got.length === size) resolve([...got])
        },
        (error: unknown) => {
          failures.push(error instanceof Error ? error.message : String(error))
          if (answers.length - failures.length < size) {
            reject(
              new RegisterError(
                code,
                `${size} of ${answers.length} replicas are needed: ${failures.join('; ')}`,
              ),
            )
          }
        },
      )
    }
  })
}
