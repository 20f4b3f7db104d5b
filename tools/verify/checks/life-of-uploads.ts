import { holderOf } from '../world/observe-rotation.ts';
import { judge, NotChecked } from '../world/outcome.ts';
import { ask, sendTo, shortly } from '../world/reach.ts';
import type { World } from '../world/world.ts';
import type { Check } from './check.ts';

/** A cancelled URL takes no content. */
export const cancel: Check = {
  name: 'cancel',
  does: 'cancel an upload, and try to use its URL',
  look: async (world) => {
    const { url, uploadId, key } = await world.issue();
    await world.operator.cancel(uploadId);
    const answer = await sendTo(world, url);
    const [upload, content] = await Promise.all([
      world.operator.upload(uploadId),
      world.operator.content(key),
    ]);
    return judge(
      shortly(answer) === '412 PreconditionFailed' && upload.state === 'cancelled' && content.length === 0,
      `A PUT after the cancel got ${shortly(answer)}, and the upload is ${upload.state}.`,
    );
  },
};

/** Uploads become completed, each by its event. */
export const events: Check = {
  name: 'events',
  does: 'upload five times, wait for the events, and replay one',
  look: async (world) => {
    const { uploads, order, replayRefused, replayChangedNothing } = await world.events();
    const asSent = uploads.filter(
      ({ upload, size, etag }) =>
        upload.state === 'completed' &&
        upload.size === size &&
        upload.etag === etag &&
        !['', 'null'].includes(upload.version_id),
    );
    const replay =
      replayRefused === undefined
        ? `An event that came again changed ${replayChangedNothing ? 'nothing' : 'the record'}`
        : `An event that came again was refused (${replayRefused.name}: ${replayRefused.message})`;
    const rows = uploads.map(({ size, ageMilliseconds, upload }, index) => {
      const age = ageMilliseconds === undefined ? 'never' : `${(ageMilliseconds / 1000).toFixed(2)} s`;
      return `| ${index + 1} | ${size} | ${upload.state} | ${age} | ${order.indexOf(index + 1) + 1 || '-'} |`;
    });
    return {
      ...judge(
        asSent.length === uploads.length && replayRefused === undefined && replayChangedNothing,
        `${order.length} of ${uploads.length} uploads were completed, in the order ${order.join(' ')}. ` +
          `${asSent.length} have the size and ETag of their PUT, and a version. ${replay}.`,
      ),
      details: [
        '| PUT | Bytes | State | From PUT to completed | Completed as number |',
        '|---|---|---|---|---|',
        ...rows,
      ],
    };
  },
};

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The key rotates by itself. */
export const schedule: Check = {
  name: 'schedule',
  does: 'read the rotation schedule of the signing keys',
  look: async ({ operator, now }) => {
    const { rotationEnabled, nextRotation } = await operator.signingSecret();
    const days = nextRotation && (nextRotation.getTime() - now()) / dayMilliseconds;
    const next =
      nextRotation === undefined || days === undefined
        ? 'No next rotation is known'
        : `The next one is on ${nextRotation.toISOString()}, ${days.toFixed(1)} days from now`;
    // Secrets Manager may rotate within a day of the date, so that a date of yesterday is not late yet.
    return judge(
      rotationEnabled && days !== undefined && days > -1,
      `Rotation is ${rotationEnabled ? 'on' : 'off'}. ${next}.`,
    );
  },
};

/** The key rotates when it is told to. */
export const rotation: Check = {
  name: 'rotation',
  does: 'have the rotation schedule ensured, and rotate the signing key',
  look: async (world) => {
    const { refused, version, before, after, keysBefore, keysAfter, milliseconds, oldToken, newToken } =
      await world.rotation();
    if (refused !== undefined) {
      return judge(false, `The rotation could not start (${refused.name}: ${refused.message}).`);
    }
    const labels = after.labels[version] ?? [];
    const finished = labels.includes('AWSCURRENT') && !labels.includes('AWSPENDING');
    const current = holderOf('AWSCURRENT', before);
    const moved = current !== undefined && holderOf('AWSPREVIOUS', after) === current;
    const all = Object.values(after.labels).flat();
    const repeated = all.find((label, index) => all.indexOf(label) !== index);
    const fresh = keysAfter.kids.filter((kid) => !keysBefore.kids.includes(kid)).length;
    return judge(
      finished && moved && repeated === undefined && fresh > 0 && oldToken === 200 && newToken === 200,
      `It ${finished ? `took ${(milliseconds / 1000).toFixed(1)} s` : 'did not end'}. ` +
        `AWSPREVIOUS ${moved ? 'followed' : 'did not follow'} AWSCURRENT, ` +
        `${repeated === undefined ? 'each label is on one version' : `${repeated} is on two versions`}, ` +
        `${fresh} new keys are published, a token of before got ${oldToken}, and a new one ${newToken}.`,
    );
  },
};

const pollMilliseconds = 5_000;
/** What clocks may differ by, after the time from which the service promises to refuse. */
const graceMilliseconds = 30_000;

/**
 * A revoked key is published no more. The functions may use a copy of the key set for five minutes, so that a person has
 * to ask for that wait.
 */
export function revocation(wait: boolean): Check {
  return {
    name: 'revocation',
    does: wait ? 'revoke a signing key, and wait until its tokens are refused' : 'revoke a signing key',
    look: async (world) => {
      const { operator } = world;
      const token = await world.token();
      const kid = kidOf(token);
      if (!(await operator.publishedKeys()).kids.includes(kid)) {
        throw new NotChecked('The key of a new token is not published.');
      }
      const refusedFrom = await operator.revokeKey(kid);
      const { kids, signing } = await operator.publishedKeys();
      const gone = !kids.includes(kid) && signing !== kid && signing !== '';
      const published = `The key of a token is ${gone ? 'no longer' : 'still'} published`;
      if (!wait) {
        return judge(
          gone,
          `${published}. Its tokens are refused from ${refusedFrom.toISOString()} (--wait looks).`,
        );
      }
      const status = await waitForRefusal(world, token, refusedFrom);
      const fresh = await statusFor(world, await world.token());
      return judge(
        gone && status === 401 && fresh === 200,
        `${published}. Its token then got ${status}, and a new token ${fresh}.`,
      );
    },
  };
}

async function waitForRefusal(world: World, token: string, refusedFrom: Date): Promise<number> {
  for (;;) {
    const status = await statusFor(world, token);
    if (world.now() > refusedFrom.getTime() + (status === 401 ? 0 : graceMilliseconds)) {
      return status;
    }
    await world.sleep(pollMilliseconds);
  }
}

async function statusFor(world: World, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await ask(world, { method: 'GET', path: '/v0/volumes', headers })).status;
}

function kidOf(token: string): string {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
  if (typeof header !== 'object' || header === null || !('kid' in header)) {
    throw new NotChecked('The token names no key.');
  }
  return String(header.kid);
}
