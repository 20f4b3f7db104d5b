declare module 'dynalite' {
  /** An HTTP server that answers as DynamoDB does; without a path it keeps everything in memory. */
  export default function dynalite(options?: {
    createTableMs?: number;
    path?: string | undefined;
  }): import('node:http').Server;
}
