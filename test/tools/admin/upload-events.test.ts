import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { fileItem, putIssued } from './items.ts';

const aws = await startAws({ files: [fileItem('orders', 0), fileItem('prices', 0)] });
const run = adminOf(aws.deployment);
const recordedAt = new Date(Date.now() - 540_000).toISOString();

/** Requests that the function got, and its response. */
const requests: { readonly announce?: boolean; readonly uploads?: readonly string[] }[] = [];
let response = {};
aws.functions.set('reconcile-uploads', (payload) => {
  requests.push(Object(payload));
  return response;
});
beforeEach(() => {
  requests.length = 0;
});

/** Stores the bytes of an upload without an event. */
async function store(minutesAgo = 5) {
  const id = await putIssued(aws, minutesAgo);
  await aws.putContent(id, 'bytes');
  return id;
}

describe('upload show of an object that no event recorded', () => {
  test.for([5, 90])('offers to record it, and not to cancel the URL of %i min ago', async (minutesAgo) => {
    const id = await store(minutesAgo);
    const { stdout, stderr } = await run(`upload show ${id}`);
    expect(stdout).toMatch(/^Stored, not recorded +\S+Z$/m);
    expect(stderr).toMatch(/^Stored, but no event has recorded it yet: /);
    expect(stderr).toMatch(new RegExp(`admin --local upload reconcile --upload ${id}\n$`));
  });

  test('shows the record if the bucket cannot be checked', async () => {
    const id = await store();
    aws.deny(/GetObject/);
    const { code, stderr } = await run(`upload show ${id}`);
    aws.deny(/^$/);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The bucket could not be checked\. S3 responded with 403/);
  });
});

describe('upload reconcile', () => {
  beforeEach(() => {
    response = { recorded: 3, expired: 0, deleted: 0, done: 0, failed: 0, unfinished: false };
  });

  test('--upload requests one upload, before it is due', async () => {
    const id = await store();
    const { stdout } = await run(`upload reconcile --upload ${id}`);
    expect(requests).toMatchObject([{ announce: false, uploads: [id] }]);
    expect(stdout).toBe('3 uploads recorded, 0 found unused, replaced content of 0 deleted.\n');
  });

  test('--file requests its outstanding uploads, 100 at a time', async () => {
    const issue = (minutesAgo: number) => putIssued(aws, minutesAgo, { file_id: 'prices' });
    const ids = await Promise.all(Array.from({ length: 101 }, () => issue(90)));
    await issue(30 * 60);
    await run('upload reconcile --file prices');
    expect(requests.map(({ uploads = [] }) => uploads.length)).toEqual([100, 1]);
    expect(requests.flatMap(({ uploads = [] }) => uploads).toSorted()).toEqual(ids.toSorted());
  });
});

describe('upload announce', () => {
  const completed = { state: 'completed', etag: 'e', version_id: 'v', completed_at: recordedAt };
  const announce = (minutesAgo: number) =>
    putIssued(aws, minutesAgo, { ...completed, announced_at: recordedAt });
  beforeEach(() => {
    response = { recorded: 0, announced: 1, expired: 0, deleted: 0, done: 0, failed: 0, unfinished: false };
  });

  test('ID sends its event again, under the event_id that upload show prints', async () => {
    const id = await announce(10);
    expect((await run(`upload show ${id}`)).stdout).toMatch(
      new RegExp(`Z  Announced: ${id}\\.completed$`, 'm'),
    );
    const { code, stdout } = await run(`upload announce ${id}`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 event sent again\./)]);
    expect(requests).toMatchObject([{ announce: true, uploads: [id] }]);
  });

  test('--file and --since send the events of uploads, after a question', async () => {
    const old = await announce(180);
    const late = await announce(30);
    const line = 'upload announce --file orders --since 1h';
    expect([(await run(line)).code, requests]).toEqual([2, []]);

    await run(`${line} --yes`);

    expect(requests[0]?.uploads).toContain(late);
    expect(requests[0]?.uploads).not.toContain(old);
  });

  test.for([
    [[], 'Name one upload, or choose uploads by their file or time.'],
    [['some-id', '--since', '1h'], 'Name one upload, or choose uploads by their file or time.'],
    [['--since', 'yesterday'], '"yesterday" is not a time for --since'],
    [['--file', 'nobody', '--yes'], 'There is no file'],
  ] as const)('%j is rejected before the function runs', async ([options, reason]) => {
    const { stderr } = await run('upload announce', ...options);
    expect(requests).toEqual([]);
    expect(stderr).toContain(reason);
  });
});
