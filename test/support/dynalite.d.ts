declare module 'dynalite' {
  /** Creates an HTTP server that responds like DynamoDB; without a path, it stores all data in memory. */
  export default function dynalite(options?: {
    createTableMs?: number;
    path?: string | undefined;
  }): import('node:http').Server;
}
