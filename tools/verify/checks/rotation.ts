import { holderOf } from '../observe-rotation.ts';
import { judge, NotChecked } from '../outcome.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

/** The key rotates when it is told to. */
export const rotation: Check = {
  id: 'rotation',
  does: 'rotate the signing key',
  must: true,
  look: async (world) => {
    const { refused, version, before, after, freshKeys, milliseconds, oldToken, newToken } =
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
    return judge(
      finished && moved && repeated === undefined && freshKeys > 0 && oldToken === 200 && newToken === 200,
      `It ${finished ? `took ${(milliseconds / 1000).toFixed(1)} s` : 'did not end'}. ` +
        `AWSPREVIOUS ${moved ? 'followed' : 'did not follow'} AWSCURRENT, ` +
        `${repeated === undefined ? 'each label is on one version' : `${repeated} is on two versions`}, ` +
        `${freshKeys} new keys are published, a token of before got ${oldToken}, and a new one ${newToken}.`,
    );
  },
};

/** A revoked key is published no more. Functions may use a copy of the key set for five minutes: nobody waits here. */
export const revocation: Check = {
  id: 'revocation',
  does: 'revoke the signing key of a token',
  must: true,
  look: async ({ operator, token }: World) => {
    const kid = kidOf(await token());
    if (!(await operator.publishedKeys()).kids.includes(kid)) {
      throw new NotChecked('The key of a new token is not published.');
    }
    const refusedFrom = await operator.revokeKey(kid);
    const { kids, signing } = await operator.publishedKeys();
    const gone = !kids.includes(kid) && signing !== kid && signing !== '';
    return judge(
      gone,
      `The key of a token is ${gone ? 'no longer' : 'still'} published. Its tokens are refused from ${refusedFrom.toISOString()}.`,
    );
  },
};

function kidOf(token: string): string {
  const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
  if (typeof header !== 'object' || header === null || !('kid' in header)) {
    throw new NotChecked('The token names no key.');
  }
  return String(header.kid);
}
