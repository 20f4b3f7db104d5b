import { Hono } from 'hono';
import { UsageError } from '../../../cli/errors.ts';
import { formatBytes } from '../../../cli/text.ts';
import { type PutOutcome, putSource, type SentDigests } from '../../../cli/upload/put-source.ts';
import { sourceOfBytes } from '../../../cli/upload/source.ts';
import { compareDigests, judgeOutcome } from '../../../cli/upload/storage-answer.ts';
import { uploadIdOf } from '../../../cli/upload/upload-url.ts';
import { Details } from '../../components/detail.tsx';
import { FileField, TextArea } from '../../components/fields.tsx';
import { Form, FormErrors } from '../../components/form.tsx';
import { Empty } from '../../components/list.tsx';
import { Id, Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { maximumFileBytes, readForm, readFormFile } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';
import { memoryOf } from './memory.ts';

/** The upload to the URL that the last sync gave. The URL stays on the server: its query is a secret. */
export const uploadPages = new Hono<Env>();

const address = '/try/upload';

uploadPages.get('/upload', (c) => uploadPage(c, '', {}));

uploadPages.post('/upload', async (c) => {
  const memory = memoryOf(c);
  const { upload } = memory;
  if (upload === undefined) {
    throw new UsageError(
      'There is no upload URL, or it was used. Nothing was sent. Ask for one with a sync.',
    );
  }
  const text = (await readForm(c)).text?.[0] ?? '';
  const file = await readFormFile(c, 'file');
  if (text !== '' && file !== undefined) {
    return uploadPage(c, text, { text: 'Enter a text or choose a file, not both.' });
  }
  const bytes = file === undefined ? Buffer.from(text, 'utf8') : Buffer.from(await file.arrayBuffer());
  const outcome = await putSource(upload.url, sourceOfBytes('what was entered', bytes), () => undefined);
  const stored = judgeOutcome(outcome, bytes.length);
  if (!('done' in stored)) {
    throw new UsageError(`${stored.retry} Try it again.`);
  }
  memory.upload = undefined;
  return storedPage(c, stored.done, upload.url, bytes.length);
});

function uploadPage(c: PageContext, text: string, errors: Readonly<Record<string, string>>) {
  const { upload } = memoryOf(c);
  const title = 'Send a file';
  if (upload === undefined) {
    return page(
      c,
      { title },
      <Empty title="There is no upload URL in this session.">
        <p>
          Each is for one upload. <a href="/try/createFileSync">Ask for one</a>
        </p>
      </Empty>,
    );
  }
  return page(
    c,
    { title, status: Object.keys(errors).length > 0 ? 422 : 200 },
    <>
      <FormErrors errors={errors} />
      <Form action={address} label="Send it" cancel="/try" hasFile>
        <p>
          Content for the file{' '}
          <a href={path('files', upload.fileId)}>
            <Text of={upload.fileId} />
          </a>
          . The upload URL is for one upload.
        </p>
        <TextArea
          name="text"
          label="A text"
          help="Or leave it empty and choose a file."
          value={text}
          error={errors.text}
        />
        <FileField
          name="file"
          label="A file"
          help={`At most ${formatBytes(maximumFileBytes)} here. For larger ones, use the upload command.`}
        />
      </Form>
    </>,
  );
}

type Stored = Extract<PutOutcome, { readonly digests: SentDigests }>;

function storedPage(c: PageContext, { answer, digests }: Stored, url: URL, size: number) {
  const uploadId = uploadIdOf(url);
  const { md5, crc64nvme } = digests;
  const { verified, checksum_verified } = compareDigests(digests, answer);
  return page(
    c,
    { title: 'The storage has it' },
    <>
      <Details
        rows={[
          ['Status', String(answer.status)],
          ['Sent', formatBytes(size)],
          ['MD5', <Id of={md5} copy />],
          ['CRC64NVME', <Id of={crc64nvme} copy />],
          [
            'Compared',
            verified || checksum_verified
              ? 'The storage has the same bytes.'
              : 'The storage did not say its checksum.',
          ],
          ['Upload', uploadId && <a href={path('uploads', uploadId)}>{uploadId}</a>],
        ]}
      />
      <p>
        The service records the upload within seconds. <a href="/try">All operations</a>
      </p>
    </>,
  );
}
