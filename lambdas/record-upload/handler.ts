import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { createReadItem } from '../shared/recording/recording-tables.ts';
import { readObjectEvent } from './object-event.ts';
import { recordEvent } from './record-event.ts';

const { recording } = openRecording(async () => undefined, createReadItem);
const dependencies = { ...recording, now: () => new Date() };

/** Invoked for every object that is created in the bucket (EventBridge, "Object Created"). */
export async function handler(event: unknown): Promise<void> {
  try {
    await recordEvent(readObjectEvent(event), dependencies);
  } catch (error) {
    recording.log('ERROR', 'recordFailed', describeError(error));
    throw withoutDetail(error);
  }
}
