import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { recordObject } from '../shared/recording/record-object.ts';
import { readObjectEvent } from './object-event.ts';

const { recording } = openRecording();
const dependencies = { ...recording, now: () => new Date() };

/** Invoked for every object that is created in the bucket (EventBridge, "Object Created"). */
export async function handler(event: unknown): Promise<void> {
  try {
    await recordObject(readObjectEvent(event), dependencies);
  } catch (error) {
    recording.log('ERROR', 'recordFailed', describeError(error));
    throw withoutDetail(error);
  }
}
