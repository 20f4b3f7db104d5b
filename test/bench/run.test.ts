import { beforeEach, describe, expect, it } from 'vitest';
import type { Measurement } from '../../bench/measurement.ts';
import { runBench } from '../../bench/run.ts';
import type { HeldTargets } from '../../bench/verdict.ts';

function measurement(id: string, figure: number, measured?: string[]): Measurement {
  return {
    id,
    what: `what ${id} is`,
    unit: 'ratio',
    target: 1,
    better: 'lower',
    measure: async (rounds) => {
      measured?.push(`${id} ${rounds}`);
      return { samples: Array.from({ length: rounds }, () => figure), detail: { [`${id}, µs`]: figure } };
    },
  };
}

describe('npm run bench', () => {
  let printed: { stdout: string; stderr: string };
  let measured: string[];
  let ran: string[];
  let held: HeldTargets;

  beforeEach(() => {
    printed = { stdout: '', stderr: '' };
    measured = [];
    ran = [];
    held = {};
  });

  function run(
    parameters: readonly string[],
    measurements = [measurement('fast', 0.5, measured), measurement('slow', 2, measured)],
  ) {
    return runBench(parameters, {
      measurements,
      programs: { presign: { file: 'bench/presign.ts', description: 'signs' } },
      runProgram: async (name, options) => {
        ran.push([name, ...options].join(' '));
        return 7;
      },
      readHeld: async () => held,
      writeHeld: async (written) => {
        held = written;
      },
      random: () => 0.5,
      output: {
        stdout: (text) => {
          printed.stdout += text;
        },
        stderr: (text) => {
          printed.stderr += text;
        },
      },
    });
  }

  it('measures everything, and a target that never held is no failure', async () => {
    expect(await run([])).toBe(0);
    expect(measured).toEqual(['fast 12', 'slow 12']);
    expect(printed.stdout).toMatch(/^fast +0\.50 +0\.50 to 0\.50 +<= 1\.00 +yes +what fast is$/m);
    expect(printed.stdout).toMatch(/^slow +2\.00 +2\.00 to 2\.00 +<= 1\.00 +no +what slow is$/m);
    expect(printed.stdout).toContain('slow, µs');
  });

  it('measures what is named, in as many rounds as are asked for', async () => {
    await run(['slow', '--rounds', '5']);
    expect(measured).toEqual(['slow 5']);
  });

  it('ends with 1 when a target that held before is lost, and names it', async () => {
    held = { slow: { target: 1, figure: 0.9 } };
    expect(await run([])).toBe(1);
    expect(printed.stdout).toContain('slow held before, and no longer holds');
    expect(held).toEqual({ slow: { target: 1, figure: 0.9 } });
  });

  it('prints nothing but JSON on stdout with --json', async () => {
    held = { fast: { target: 1, figure: 0.9 } };
    await run(['--json', '--rounds', '3']);
    const { measurements, ...rest } = JSON.parse(printed.stdout);
    expect(rest).toEqual({ node: process.version, rounds: 3, failed: [] });
    expect(measurements).toEqual([
      expect.objectContaining({
        id: 'fast',
        figure: 0.5,
        target: 1,
        holds: true,
        held_before: true,
        lost: false,
      }),
      expect.objectContaining({
        id: 'slow',
        figure: 2,
        noise: { low: 2, high: 2 },
        samples: [2, 2, 2],
        holds: false,
      }),
    ]);
    expect(printed.stderr).toContain('measuring fast');
  });

  it('goes on when something could not be measured, says why, and ends with 1', async () => {
    const broken = { ...measurement('broken', 1), measure: () => Promise.reject(new Error('no template')) };
    expect(await run([], [broken, measurement('fast', 0.5)])).toBe(1);
    expect(printed.stdout).toContain('broken could not be measured: no template');
    expect(printed.stdout).toMatch(/^fast +0\.50/m);
  });

  it('writes the record only with --record', async () => {
    await run([]);
    expect(held).toEqual({});
    await run(['--record']);
    expect(held).toEqual({ fast: { target: 1, figure: 0.5 } });
  });

  it('passes the options of a program on, and its exit code back', async () => {
    expect(await run(['presign', '--rounds', '3', '--any'])).toBe(7);
    expect(ran).toEqual(['presign --rounds 3 --any']);
    expect(measured).toEqual([]);
  });

  it.each(['--list', '--help'])('lists with %s, and measures nothing', async (option) => {
    expect(await run([option])).toBe(0);
    expect(printed.stdout).toContain('  fast     what fast is\n');
    expect(printed.stdout).toContain('  presign  signs\n');
    expect(measured).toEqual([]);
  });

  it.each([
    [['nothing'], "unknown name 'nothing'"],
    [['fast', 'presign'], "'presign' has no target"],
    [['--rounds', '2'], "not '2'"],
    [['--rounds', 'x'], "not 'x'"],
    [['--slow'], '--slow'],
  ])('refuses %j', async (parameters, message) => {
    expect(await run(parameters)).toBe(2);
    expect(printed.stderr).toContain(message);
    expect(measured).toEqual([]);
  });
});
