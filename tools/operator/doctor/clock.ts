import { timestamp } from '../../../storage/attributes.ts';
import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { allOf, readAll } from '../lists/read.ts';
import { formatSeconds, quoted } from '../text.ts';
import { uploadSource } from '../uploads/upload.ts';
import { type CheckResult, failed, ok, warning } from './finding.ts';

/** Checks the clock of this machine, and the clock of the service by the ids of its uploads. */
export async function checkClock(deployment: Deployment): Promise<CheckResult> {
  const setBack = await describeSetBack(deployment);
  if (setBack !== undefined) {
    return failed(setBack, 'Set the clock of the service, or start a local run over with --fresh.');
  }
  const skew = describeSkew(deployment);
  return skew === undefined
    ? ok('this machine is at most a minute off AWS')
    : warning(skew, 'Set the clock of this machine. Other programs here may use the wrong time.');
}

/**
 * Describes a clock of the service that went back: an upload was issued in the future. Upload ids begin with their time,
 * so new uploads of its file count as older (docs/decisions/0004-uploads-are-ordered-by-their-id.md).
 *
 * @returns undefined if no upload is more than a minute ahead
 */
export async function describeSetBack(deployment: Deployment): Promise<string | undefined> {
  const now = deployment.now();
  const source = uploadSource(deployment, { since: timestamp(new Date(now + 60_000)) });
  const [newest] = await allOf(readAll(deployment, source, { limit: 1 }));
  if (newest === undefined) {
    return undefined;
  }
  const { upload_id, issued_at } = newest;
  const ahead = formatSeconds((Date.parse(issued_at) - now) / 1000);
  return `The clock of the service went back: the upload ${quoted(upload_id)} was issued ${ahead} in the future. Until then, new uploads of its file are superseded immediately.`;
}
