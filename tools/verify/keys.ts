import { decodeProtectedHeader } from 'jose';
import type { Labels } from './operator.ts';
import { type Check, judge, NotChecked } from './outcome.ts';
import type { Service } from './service.ts';

/** The key policy of the signing keys shuts operators out, whatever else they may do. */
export const privateKeys: Check = {
  id: 'private-keys',
  does: 'try to read the private keys',
  look: async ({ operator }) => {
    const refusal = await operator.tryToReadPrivateKeys();
    if (refusal === undefined) {
      return judge(false, 'These credentials can read them: the key policy lets too many in.');
    }
    // Secrets Manager passes the refusal of KMS on. Another refusal says nothing about the key.
    if (!refusal.name.startsWith('AccessDenied') || !/\bkms\b/i.test(refusal.message)) {
      throw new NotChecked(
        `These credentials may not ask for the secret at all (${refusal.name}), so its key was not asked. ` +
          'Run this as an administrator, or leave it out with --skip.',
      );
    }
    return judge(true, `These credentials may ask for the secret, and its key refused: ${refusal.name}.`);
  },
};

const rotationMilliseconds = 120_000;
const pollMilliseconds = 250;

/** The key rotates when it is told to, and tokens of the key before stay valid. */
export const rotation: Check = {
  id: 'rotation',
  does: 'rotate the signing key',
  look: async ({ operator, token, listVolumes, now, sleep }) => {
    const [before, keysBefore, oldToken] = await Promise.all([
      operator.labels(),
      operator.publishedKeys(),
      token(),
    ]);
    const startedAt = now();
    const version = await operator.startRotation();
    let after = await operator.labels();
    while (!hasEnded(version, after) && now() - startedAt < rotationMilliseconds) {
      await sleep(pollMilliseconds);
      after = await operator.labels();
    }
    const seconds = ((now() - startedAt) / 1000).toFixed(1);
    const { kids } = await operator.publishedKeys();
    const freshKeys = kids.filter((kid) => !keysBefore.kids.includes(kid)).length;
    const [old, fresh] = [await listVolumes(oldToken), await listVolumes(await token())];
    const ended = hasEnded(version, after);
    const followed = holderOf('AWSPREVIOUS', after) === holderOf('AWSCURRENT', before);
    return judge(
      ended && followed && freshKeys > 0 && old === 200 && fresh === 200,
      `It ${ended ? `took ${seconds} s` : 'did not end'}. ` +
        `AWSPREVIOUS ${followed ? 'followed' : 'did not follow'} AWSCURRENT, ` +
        `${freshKeys} new keys are published, a token of before got ${old}, and a new one ${fresh}.`,
    );
  },
};

function hasEnded(version: string, labels: Labels): boolean {
  const own = labels[version] ?? [];
  return own.includes('AWSCURRENT') && !own.includes('AWSPENDING');
}

/** The version that has a label. */
function holderOf(label: string, labels: Labels): string | undefined {
  return Object.keys(labels).find((version) => labels[version]?.includes(label));
}

/** A revoked key is published no more. Functions may use a copy of the key set for five minutes: nobody waits here. */
export const revocation: Check = {
  id: 'revocation',
  does: 'revoke the signing key of a token',
  look: async ({ operator, token }: Service) => {
    const { kid = '' } = decodeProtectedHeader(await token());
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
