import { readFile } from 'node:fs/promises';
import { clients } from '../../tools/operator/clients/fields.ts';
import { files } from '../../tools/operator/files/fields.ts';
import { organisations } from '../../tools/operator/organisations/fields.ts';
import { uploads } from '../../tools/operator/uploads/fields.ts';

const page = await readFile('docs/stored-items.md', 'utf8');

/** Attributes that are displayed but not stored: they are derived, or come from S3. */
const notStored = [
  'clients',
  'files',
  'uploads',
  'current_bytes',
  'kept_bytes',
  'last_upload_at',
  'timeline',
  'stored_at',
  'content_type',
  'content_content_type',
  'client_secret',
  'secret_ends_at',
];

test('docs/stored-items.md has every stored attribute that people see', () => {
  const missing = [organisations, clients, files, uploads].flatMap(({ noun, fields }) =>
    Object.keys(fields)
      .filter((name) => !notStored.includes(name) && !page.includes(`\`${name.replace(/^content_/, '')}\``))
      .map((name) => `${noun}: ${name}`),
  );
  expect(missing).toEqual([]);
});
