import { readFile } from 'node:fs/promises';

/**
 * Reads the programs of docs/api.md, "In your language", each of which uploads a file. They read their
 * settings from environment variables. `npm run build:tools` embeds the result in the admin tool in place of
 * this module.
 */
export async function readExamples() {
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## In your language\n(.*?)(?=^## )/ms.exec(page) ?? [];
  const [, ...parts] = section.split(/^### /m);
  return parts.map((part) => ({
    language: part.replace(/\n.*/s, ''),
    code: [...part.matchAll(/^```[^\n]*\n(.*?)^```$/gms)].map(([, code]) => code).join('\n'),
  }));
}
