/** The parts of dynalite 4.0.0 that stand behind its HTTP server: it has no types of its own. */
declare module 'dynalite/db/index.js' {
  export interface TableStore {
    awsAccountId: string;
    awsRegion: string;
    get(name: string, callback: (error: Error | null, table?: { TableStatus?: string }) => void): void;
    del(name: string, callback: (error: Error | null) => void): void;
  }
  export interface Store {
    readonly tableDb: TableStore;
    readonly lifecycleManager: { gracefulClose(callback: (error: Error | null) => void): void };
  }
  export function create(options: { path?: string; createTableMs: number }): Store;
}

declare module 'dynalite/validations/index.js' {
  export type Types = Readonly<Record<string, unknown>>;
  export function checkTypes(input: object, types: Types): object;
  export function checkValidations(
    input: object,
    types: Types,
    custom: unknown,
    store: import('dynalite/db/index.js').Store,
  ): void;
}

declare module 'dynalite/validations/*' {
  const validation: { types: import('dynalite/validations/index.js').Types; custom?: unknown };
  export = validation;
}

declare module 'dynalite/actions/*' {
  type Callback = (error: Error | null, output?: Record<string, unknown>) => void;
  function action(store: import('dynalite/db/index.js').Store, input: object, callback: Callback): void;
  export = action;
}
