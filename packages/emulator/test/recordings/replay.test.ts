import { describe, expect, test } from 'vitest';
import { parseEventPattern } from '../../events/pattern.ts';
import { readEventPatterns } from './event-patterns.ts';
import { type Recording, readRecordings, recordedServices } from './recording.ts';
import { replay, startFor } from './replay.ts';

describe.for(recordedServices)('%s responds as AWS did', async (service) => {
  const recordings = readRecordings(service);
  const [sharing] = recordings.filter(({ shared }) => shared);
  const shared = sharing && (await startFor(sharing));
  const act = (recording: Recording) => replay(service, recording, recording.shared ? shared : undefined);
  const different = recordings.filter(({ differs }) => differs !== undefined);
  const same = recordings.filter(({ differs }) => differs === undefined);

  test.for(same)('$name', act);

  test.for(different)('but otherwise: $name', async (recording) => {
    await expect(act(recording)).rejects.toMatchObject({ name: 'AssertionError' });
  });
});

describe('an event pattern', () => {
  const { event: common, patterns, unsupported } = readEventPatterns();

  const responseTo = (pattern: object, event: object = {}) => {
    try {
      return parseEventPattern({ ...pattern }, 'Rule')({ ...common, ...event });
    } catch (error) {
      return String(error);
    }
  };

  test.for(Object.entries(patterns))('has the response of AWS: %s', ([, { pattern, event, response }]) => {
    expect(responseTo(pattern, event)).toEqual(
      typeof response === 'string' ? expect.stringContaining(`Reason: ${response}`) : response,
    );
  });

  test.for(unsupported)('with %s is rejected by name', (matcher) => {
    expect(responseTo({ [matcher]: [{ [matcher]: {} }] })).toContain(`match type ${matcher}, or one`);
  });
});
