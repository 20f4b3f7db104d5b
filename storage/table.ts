/** Keys of a table. All of them are strings, and every index holds all attributes. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: readonly {
    readonly name: string;
    readonly partitionKey: string;
    readonly sortKey: string;
  }[];
}
