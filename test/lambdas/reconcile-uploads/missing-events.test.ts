import { id, objectOf } from '../shared/recording/fake-store.ts';
import { startHistory, startStored } from './history.ts';

/** URLs are issued at 08:00, and objects are stored at 08:30. Nothing is due before 09:10. */
const [early, late] = ['2026-01-31T08:31:59.999Z', '2026-01-31T08:32:00.000Z'];

describe('a stored upload without an event, before it is due', () => {
  test('is recorded after two minutes', async () => {
    const { upload, run, values, lines } = startStored(1);
    expect(await run(early)).toEqual({ unchanged: 1 });
    expect(await run(late)).toEqual({ recorded: 1 });
    expect(upload(1)).toMatchObject({ state: 'completed', version_id: 'version-1' });
    expect(values).toEqual([{ UploadsCompleted: 1, UploadBytes: 1 }, { UploadEventsMissing: 1 }]);
    expect(lines).toContainEqual(expect.objectContaining({ message: 'uploadReconciled', upload_id: id(1) }));
  });

  test('is recorded by the next run, if a step fails', async () => {
    const { store, run } = startStored(1);
    const { readUpload } = store.tables;
    Object.assign(store.tables, { readUpload: () => Promise.reject(new Error('busy')) });
    expect(await run(late)).toEqual({ failed: 1 });
    Object.assign(store.tables, { readUpload });
    expect(await run(late)).toEqual({ recorded: 1 });
  });
});

describe('a run', () => {
  test('changes nothing of a URL that nobody has used yet', async () => {
    const { store, run } = startHistory(3);
    expect(await run(late)).toEqual({ unchanged: 3 });
    expect(store.writes).toEqual([]);
  });

  test('reads four objects of a partition, from a random place, while no event is missing', async () => {
    const { inBucket, run } = startHistory(20);
    const keys: string[] = [];
    Object.assign(inBucket, { find: async (key: string) => void keys.push(key) });
    await run(late, undefined, () => 0.65);
    expect(keys).toEqual([7, 6, 5, 4].map((number) => objectOf(number).key));
  });

  test('reads no more objects because it recorded a due upload', async () => {
    const { store, inBucket, put, run } = startHistory(20);
    put(objectOf(20));
    store.change(id(20), { due_at: late });
    const find = vi.spyOn(inBucket, 'find');
    expect(await run(late)).toEqual({ recorded: 1, unchanged: 4 });
    expect(find).toHaveBeenCalledTimes(5);
  });

  test('ends when its time is over, and the next one records the others', async () => {
    const { store, run, values } = startStored(150);
    let left = 5;
    const { recorded = 0, ...rest } = await run(late, () => --left >= 0);
    expect(rest).toEqual({ unfinished: true });
    expect(recorded).toBeLessThan(60);
    expect(Object.assign({}, ...values)).not.toHaveProperty('DueUploadsAge');
    expect(await run(late)).toEqual({ recorded: 150 - Number(recorded) });
    expect(store.announced).toHaveLength(150);
  });
});
