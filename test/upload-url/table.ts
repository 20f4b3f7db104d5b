import type { Came } from './requests.ts';
import type { Row } from './rows.ts';
import { s3Pages } from './s3-pages.ts';

const introduction = `# Answers of the upload URL

What a client gets from \`PUT {upload_url}\` (docs/api.md section 9), which the contract leaves to the storage. The
requests are sent to upload URLs that the code of the sync function makes, under the roles and policies of the
template; *here* is what the S3 of the local run answers, *S3* the status and code that Amazon documents. Errors are
S3's XML: \`Code\`, \`Message\`, \`RequestId\`. The column of Amazon's was read, not measured: no AWS account took part.

This page is made from \`test/upload-url/rows.ts\` by \`npm run generate\`. A test sends every request again and fails
when an answer differs from S3's, or from this page.
`;

/** The page docs/generated/upload-url.md. */
export function renderTable(answers: readonly { readonly row: Row; readonly came: Came }[]): string {
  const lines = answers.map(({ row, came }) => {
    const { sent, page, documented, note = '' } = row;
    // The one code that does not say by itself what was wrong.
    const message = came.code === 'AccessDenied' ? ` “${came.message}”` : '';
    const s3 = `${describe(documented)} ([${numberOf(page.url)}])`;
    return `| ${sent} | ${describe(came)}${message} | ${s3} | ${note} |`;
  });
  const pages = Object.values(s3Pages).map(({ title, url }) => `[${numberOf(url)}]: ${url} '${title}'`);
  const list = Object.values(s3Pages).map(({ title, url }) => `- [${numberOf(url)}] ${title}`);
  return `${[
    introduction,
    '| Sent | Here | S3 | Besides |\n| --- | --- | --- | --- |',
    `${lines.join('\n')}\n`,
    'Amazon’s pages:\n',
    `${list.join('\n')}\n`,
    pages.join('\n'),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function describe({ status, code }: Pick<Came, 'status' | 'code'>): string {
  return code === undefined ? String(status) : `${status} \`${code}\``;
}

function numberOf(url: string): number {
  return Object.values(s3Pages).findIndex((page) => page.url === url) + 1;
}
