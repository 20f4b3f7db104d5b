import type { Subject } from '../defect.ts';
import { addresses } from './addresses.ts';
import { commands } from './commands.ts';
import { consoleDefects } from './console.ts';
import { deletions } from './deletions.ts';
import { documents } from './documents.ts';
import { emulator } from './emulator.ts';
import { events } from './events.ts';
import { guarantees } from './guarantees.ts';
import { keys } from './keys.ts';
import { localRun } from './local-run.ts';
import { logs } from './logs.ts';
import { monitoring } from './monitoring.ts';
import { reconciliation } from './reconciliation.ts';
import { release } from './release.ts';
import { stackAccess } from './stack-access.ts';
import { stackData } from './stack-data.ts';
import { stored } from './stored.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { tokens } from './tokens.ts';
import { upgrades } from './upgrades.ts';
import { uploads } from './uploads.ts';
import { verification } from './verification.ts';
import { versionEnds } from './versions.ts';

/** Every defect, by subject. A new promise gets one here, beside the test that holds it. */
export const subjects: readonly Subject[] = [
  guarantees,
  tokens,
  addresses,
  tokenEndpoint,
  keys,
  uploads,
  events,
  reconciliation,
  deletions,
  stored,
  stackData,
  stackAccess,
  commands,
  consoleDefects,
  emulator,
  localRun,
  monitoring,
  verification,
  documents,
  upgrades,
  release,
  versionEnds,
  logs,
];
