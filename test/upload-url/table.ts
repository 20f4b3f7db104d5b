import type { Came } from './requests.ts';
import type { Row } from './rows.ts';
import { s3Pages } from './s3-pages.ts';

const introduction = `# Answers of the upload URL

This page lists the answers to \`PUT {upload_url}\` and to other requests to an upload URL. The API leaves these
answers to the storage (docs/api.md section 9). Errors are S3's XML, with \`Code\`, \`Message\` and \`RequestId\`.

- *Local run* is the answer of the local S3. The code of the \`sync\` function makes the upload URLs, and the roles and
  policies of the template apply.
- *S3* is the status and code that Amazon documents, with the page. It was not measured with an AWS account.

The upload URLs are valid for one hour. \`npm run generate\` makes this page from \`test/upload-url/rows.ts\`. A test sends
every request again. It fails if an answer differs from the one of S3, or from this page.
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
    '| Request | Local run | S3 | Notes |\n| --- | --- | --- | --- |',
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
