/** The attribute by which DynamoDB removes items of every table: see storage/attributes.ts. */
export const timeToLiveName = 'delete_after';

/** Keys of a table. All of them are strings, and every index holds all attributes. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: readonly {
    readonly name: string;
    readonly partitionKey: string;
    readonly sortKey: string;
  }[];
}

/**
 * Waits for a conditional write of DynamoDB.
 *
 * @returns the answer, or `refused` when the condition did not hold; nothing was changed then
 * @throws any other error of the write
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
