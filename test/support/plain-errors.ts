/**
 * The result of a call of the AWS SDK. Its errors carry the whole request, signature included, which a test report
 * would print; what is thrown here has the name and the message alone.
 */
export async function withoutDetail<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw new Error(error instanceof Error ? `${error.name}: ${error.message}` : 'An AWS call failed');
  }
}
