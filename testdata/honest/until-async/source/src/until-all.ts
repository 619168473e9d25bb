import { until, type UntilResult } from './index.js'

/**
 * Gracefully handles callbacks that return promises, one after the other.
 *
 * @example
 * await untilAll([() => Promise.resolve(1), () => Promise.resolve(2)])
 * // [null, [1, 2]]
 */
export async function untilAll<RejectionReason = Error, ResolveData = unknown>(
  callbacks: Array<() => Promise<ResolveData>>,
): Promise<UntilResult<RejectionReason, Array<ResolveData>>> {
  const all: Array<ResolveData> = []

  for (const callback of callbacks) {
    const [error, data] = await until<RejectionReason, ResolveData>(callback)

    if (error !== null) {
      return [error, null]
    }

    all.push(data as ResolveData)
  }

  return [null, all]
}
