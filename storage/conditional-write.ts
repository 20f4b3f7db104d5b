/**
 * Waits for a conditional write of DynamoDB.
 *
 * @returns the answer, or `refused` when the condition did not hold, in which case nothing was changed
 * @throws whatever else the write failed with
 */
export async function conditionalWrite<Answer>(write: Promise<Answer>): Promise<Answer | 'refused'> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {
      return 'refused';
    }
    throw error;
  }
}
