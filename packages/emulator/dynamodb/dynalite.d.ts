/** The parts of dynalite 4.0.0 behind its HTTP server. dynalite ships without types. */
declare module 'dynalite/db/index.js' {
  export type Callback = (error: Error | null, value?: unknown) => void;
  export type Change =
    | { readonly type: 'put'; readonly key: string; readonly value: unknown }
    | { readonly type: 'del'; readonly key: string };
  /** LevelDB, with callbacks. A method without a callback returns a promise. */
  export interface Database {
    readonly status: string;
    open(): Promise<void>;
    getSync(key: string): unknown;
    get(key: string, done?: Callback): unknown;
    put(key: string, value: unknown, done?: Callback): unknown;
    del(key: string, done?: Callback): unknown;
    batch(changes: readonly unknown[], done?: Callback): unknown;
  }
  export interface TableStore {
    awsAccountId: string;
    awsRegion: string;
    del(name: string, callback: (error: Error | null) => void): void;
  }
  export interface Store {
    readonly db: Database;
    readonly tableDb: TableStore;
    readonly lifecycleManager: { gracefulClose(callback: (error: Error | null) => void): void };
  }
  export function create(options: { path: string | undefined; createTableMs: number }): Store;
  /** Request units of an item; undefined for an item that does not exist. */
  export function capacityUnits(item: unknown, isRead: boolean, isConsistent: boolean): number;
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
