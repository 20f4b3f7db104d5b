#!/usr/bin/env node
import '../typescript.mjs';

await import('./main.ts');
