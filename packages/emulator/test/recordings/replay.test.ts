import { parseEventPattern } from '../../events/pattern.ts';
import { readRecordings, readYaml, recordedServices } from './recording.ts';
import { replay, startFor } from './replay.ts';

describe.for(recordedServices)('%s responds as AWS', async (service) => {
  const recordings = readRecordings(service);
  const [sharing] = recordings.filter(({ shared }) => shared);
  const shared = sharing && (await startFor(sharing));

  test.for(recordings)('$name', (recording) =>
    replay(service, recording, recording.shared ? shared : undefined),
  );
});

interface EventPatterns {
  /** Members of every event. */
  readonly event: object;
  /** Patterns by name of the file below `events/event_pattern_templates`. */
  readonly patterns: Readonly<
    Record<
      string,
      {
        readonly pattern: object;
        /** Members that this event adds to the members of every event, or replaces. */
        readonly event?: object;
        /** True if the event matches, or the reason why AWS rejects the pattern. */
        readonly response: boolean | string;
      }
    >
  >;
  /** Matchers that the emulator rejects on purpose. */
  readonly unsupported: readonly string[];
}

describe('an event pattern', () => {
  const { event: common, patterns, unsupported } = readYaml('event-patterns') as EventPatterns;

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
