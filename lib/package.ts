/** What the package exports (docs/package.md). Its types are written by `scripts/package/declarations.ts`. */
export { outputNames } from '../cli/deployment/stack-outputs.ts';
export { ConfigurationError, completeConfiguration, readConfiguration } from './configuration.ts';
export { FileSyncStack } from './file-sync-stack.ts';
