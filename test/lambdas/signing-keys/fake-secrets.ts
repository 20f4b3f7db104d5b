import { InvalidParameterException, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { createKeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { parseKeySet, parseSigningKey } from '../../../storage/signing-keys.ts';

interface Version {
  readonly id: string;
  readonly text: string | undefined;
  readonly stages: readonly string[];
}

interface Call {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

type Versions = readonly Version[];

export const kmsKey = 'arn:aws:kms:us-east-1:000000000000:key/of-the-stack';

/** Both secrets in memory, call by call, as Secrets Manager has them. A function dies between two of its calls. */
export class FakeSecrets {
  /** The process dies after this many writes. */
  writesLeft = Number.POSITIVE_INFINITY;
  /** Every call waits for this before it has an effect. */
  turn: () => Promise<unknown> = async () => undefined;
  /** Called after each write. */
  written: () => void = () => undefined;
  readonly store = createKeyStore({ send: (call: Call) => this.send(call) } as never, {
    signingKey: 'keys',
    keySet: 'set',
    kmsKey,
  });
  private readonly secrets = new Map<string, Versions>();

  /** What RotateSecret does before it calls the function. */
  begin(id: string): void {
    const pending = this.holder('keys', 'AWSPENDING');
    if (![pending?.id, this.holder('keys', 'AWSCURRENT')?.id].includes(id)) {
      this.secrets.set(
        'keys',
        moved([...this.versions('keys'), { id, text: undefined, stages: [] }], 'AWSPENDING', id),
      );
    }
  }

  /** The version of a secret that has a label. */
  holder(secret: 'keys' | 'set', stage: string): Version | undefined {
    return this.versions(secret).find(({ stages }) => stages.includes(stage));
  }

  /** The private key that `token` can read. */
  get readable() {
    return parseSigningKey(this.holder('keys', 'AWSCURRENT')?.text ?? '');
  }

  get keySet() {
    return parseKeySet(this.holder('set', 'AWSCURRENT')?.text ?? '{"keys":[]}');
  }

  private versions(secret: string): Versions {
    return this.secrets.get(secret) ?? [];
  }

  private async send(call: Call): Promise<object> {
    await this.turn();
    const { input } = call;
    const secret = String(input.SecretId);
    const all = this.versions(secret);
    switch (call.constructor.name) {
      case 'GetSecretValueCommand': {
        const { VersionId: id, VersionStage: stage = 'AWSCURRENT' } = input;
        const found = all.find((it) => (id === undefined ? it.stages.includes(String(stage)) : it.id === id));
        if (found?.text === undefined) {
          throw new ResourceNotFoundException({ message: 'not found', $metadata: {} });
        }
        return { SecretString: found.text, VersionId: found.id };
      }
      case 'DescribeSecretCommand':
        return {
          KmsKeyId: kmsKey,
          VersionIdsToStages: Object.fromEntries(all.map(({ id, stages }) => [id, stages])),
        };
      case 'PutSecretValueCommand': {
        const [id, text] = [String(input.ClientRequestToken), String(input.SecretString)];
        const kept = all.find((it) => it.id === id)?.stages ?? [];
        const added = [...all.filter((it) => it.id !== id), { id, text, stages: kept }];
        return this.write(secret, moved(added, String(input.VersionStages), id));
      }
      default: {
        const { VersionStage: stage, RemoveFromVersionId: from, MoveToVersionId: to } = input;
        const holder = all.find(({ stages }) => stages.includes(String(stage)))?.id;
        if (holder !== from) {
          throw new InvalidParameterException({ message: 'is elsewhere', $metadata: {} });
        }
        return this.write(secret, moved(all, String(stage), to));
      }
    }
  }

  private write(secret: string, versions: Versions): object {
    if (this.writesLeft === 0) {
      throw new Error('crash');
    }
    this.writesLeft -= 1;
    this.secrets.set(secret, versions);
    this.written();
    return {};
  }
}

/** Moves a label. The version that loses AWSCURRENT gets AWSPREVIOUS. */
function moved(all: Versions, stage: string, to: unknown): Versions {
  const from = all.find(({ stages }) => stages.includes(stage))?.id;
  const others = all.map(({ stages, ...it }) => ({ ...it, stages: stages.filter((one) => one !== stage) }));
  const after = others.map((it) => (it.id === to ? { ...it, stages: [...it.stages, stage] } : it));
  return stage === 'AWSCURRENT' && from !== undefined && from !== to
    ? moved(after, 'AWSPREVIOUS', from)
    : after;
}
