import { findTests, renderConformance } from '../../test/contract/support/conformance-table.ts';
import { synthesized } from '../../test/support/synthesized.ts';
import { withBlock } from './blocks.ts';
import { eventExample, eventTables } from './events/page.ts';
import { eventSchemas } from './events/schemas.ts';
import type { GeneratedDocument } from './generate.ts';
import { operationsPage } from './operations.ts';
import { permissionsDocument } from './permissions.ts';
import { deploymentPage, readmePage } from './readme.ts';
import { uploadUrlDocument } from './upload-url.ts';

/** Every generated document of the project. */
export const documents: readonly GeneratedDocument[] = [
  ...eventSchemas,
  {
    path: 'docs/events.md',
    content: (page) => withBlock(withBlock(page, 'events', eventTables()), 'example', eventExample()),
  },
  { path: 'README.md', content: readmePage },
  { path: 'docs/deployment.md', content: deploymentPage },
  { path: 'docs/operations.md', content: (page) => operationsPage(page, synthesized().document) },
  { path: 'docs/generated/conformance.md', content: async () => renderConformance(await findTests()) },
  {
    path: 'docs/generated/permissions.md',
    content: () => permissionsDocument(synthesized().document),
  },
  { path: 'docs/generated/upload-url.md', content: uploadUrlDocument },
];
