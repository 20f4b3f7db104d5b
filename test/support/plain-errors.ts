/**
 * Returns the result of an AWS SDK call. SDK errors contain the whole signed request, which a test report
 * would print, so the thrown error contains only the name and the message.
 */
export async function withoutDetail<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw new Error(error instanceof Error ? `${error.name}: ${error.message}` : 'An AWS call failed');
  }
}
