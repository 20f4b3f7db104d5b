import type { AwsFact, Basis } from './fact.ts';

const introduction = `# Facts about AWS

This page lists the behaviours of AWS on which the code or the emulator depends, and what each is based on:

- A *recording* is an answer of AWS. LocalStack's project keeps it with its date, for a test that it runs against AWS
  (github.com/localstack/localstack, \`tests/aws/services\`). Where a test keeps no answer, the date is that on which it
  last passed against AWS.
- A *page* is one of Amazon's documents. It was read, and not measured with an AWS account.
- *Nothing* means that neither was found. Such a fact must not matter. The [last table](#facts-that-rest-on-nothing) says
  why it does not.

*Held by* is the test that holds the emulator to the fact, or the code to being right either way. \`verify\` says whether
\`npm run verify\` checks the fact on a deployment. The ids never change.

\`npm run generate\` makes this page from \`test/aws-facts/\`. A test checks that each test that it names exists.
`;

/** The page docs/aws-facts.md. */
export function renderFacts(facts: readonly AwsFact[]): string {
  const services = [...new Set(facts.map(({ service }) => service))];
  const sections = services.map((service) => {
    const rows = facts.filter((fact) => fact.service === service).map(row);
    return `## ${service}\n\n| Id | Behaviour | Based on | Held by | \`verify\` |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [introduction, counts(facts), ...sections, baseless(facts)].join('\n');
}

function counts(facts: readonly AwsFact[]): string {
  const kinds = ['recording', 'page', 'nothing'] as const;
  const count = (kind: Basis['kind']) => facts.filter(({ basis }) => basis.kind === kind);
  const rows = kinds.map((kind) => {
    const those = count(kind);
    return `| ${kind} | ${those.length} | ${those.filter(({ verify }) => verify).length} |`;
  });
  return `| Based on a | Facts | Checked by \`verify\` |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function row({ id, behaviour, basis, heldBy, verify }: AwsFact): string {
  const held =
    heldBy === undefined ? 'The emulator does not imitate it' : `\`${heldBy.file}\`: ${heldBy.title}`;
  return `| \`${id}\` | ${behaviour} | ${describe(basis)} | ${held} | ${verify ? 'yes' : 'no'} |`;
}

function describe(basis: Basis): string {
  switch (basis.kind) {
    case 'page':
      return `[${basis.title}](${basis.url})`;
    case 'recording':
      return `Recording of ${basis.recorded}: \`${basis.test}\``;
    case 'nothing':
      return 'Nothing';
  }
}

function baseless(facts: readonly AwsFact[]): string {
  const rows = facts.flatMap(({ id, basis, verify }) =>
    basis.kind === 'nothing' ? [`| \`${id}\` | ${basis.harmless} | ${verify ? 'yes' : 'no'} |`] : [],
  );
  return `## Facts that rest on nothing\n\n| Id | Why it does not matter | \`verify\` |\n|---|---|---|\n${rows.join('\n')}\n`;
}
