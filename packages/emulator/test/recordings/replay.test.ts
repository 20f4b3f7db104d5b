import { describe, expect, test } from 'vitest';
import { readRecordings, recordedServices } from './recording.ts';
import { replay } from './replay.ts';

describe.for(recordedServices)('%s answers as AWS did', (service) => {
  const { resources, recordings } = readRecordings(service);
  const same = recordings.filter(({ refused, differs }) => refused === undefined && differs === undefined);
  const others = recordings.filter((recording) => !same.includes(recording));

  test.for(same)('$name', (recording) => replay(service, recording, resources));

  test.for(others)('not so: $name', async (recording) => {
    await expect(replay(service, recording, resources)).rejects.toThrow();
  });
});
