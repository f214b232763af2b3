/** @file What is measured together, and the ratios that are reported. */

/**
 * At most six servers each: with more, each of them runs its window cold. The first variant is the base, which every other is
 * divided by. `quick` are the others that `--quick` measures.
 */
export const GROUPS = [
  {
    title: 'Express',
    variants: [
      'express.direct',
      'express.direct, again',
      'express.ours 2026-07-28',
      'express.ours 2025-11-25',
      'express.ours session',
      'express.direct, module imported',
    ],
    quick: ['express.direct, again', 'express.ours 2026-07-28'],
  },
  {
    title: 'Fastify',
    variants: [
      'fastify.direct',
      'fastify.direct, again',
      'fastify.ours 2026-07-28',
      'fastify.ours 2025-11-25',
      'fastify.ours session',
    ],
    quick: ['fastify.ours 2026-07-28'],
  },
  {
    title: '@rekog/mcp-nest',
    variants: [
      'express.direct',
      'express.ours 2026-07-28',
      'rekog modern',
      'rekog legacy',
      'rekog session',
    ],
    quick: ['express.ours 2026-07-28', 'rekog legacy', 'rekog session'],
  },
  {
    title: 'Official SDK without Nest',
    variants: [
      'express.direct',
      'express.ours 2026-07-28',
      'sdk modern',
      'sdk legacy leg',
      'sdk v1 stateless',
      'sdk v1 session',
    ],
    quick: ['express.ours 2026-07-28', 'sdk modern'],
  },
  {
    title: 'Others',
    variants: [
      'express.direct',
      'nest11.direct',
      '@nestjs-mcp/server session',
      'fastmcp stateless',
      'fastmcp session',
      'express.loopback HTTP',
    ],
    quick: [],
  },
  {
    title: 'What makes a call slow: around the module',
    variants: ['express.ours 2026-07-28', 'ours, policy', 'ours, audit'],
    quick: [],
  },
  {
    title: 'What makes a call slow: in the application',
    variants: [
      'express.ours 2026-07-28',
      'ours, middleware',
      'ours, session',
      'ours, logging',
      'ours, request scope',
    ],
    quick: [],
  },
  {
    title: 'The same in the application, over HTTP',
    variants: [
      'express.direct',
      'direct, middleware',
      'direct, session',
      'direct, logging',
      'direct, request scope',
    ],
    quick: [],
  },
  {
    title: 'Lists of 50 tools',
    variants: ['list 50 static', 'list 50 ours', 'list 50 rekog', 'list 50 sdk'],
    quick: [],
  },
  {
    title: 'Lists of 500 tools',
    variants: ['list 500 static', 'list 500 static, again', 'list 500 ours', 'list 500 rekog'],
    quick: ['list 500 ours'],
  },
  {
    title: 'Growth with tools',
    variants: ['call with 5 tools', 'call with 500 tools'],
    quick: ['call with 500 tools'],
  },
  {
    title: 'Growth with sessions',
    variants: ['call in the only session', 'call among 10,000 sessions'],
    quick: [],
  },
];

/**
 * The ratios of `--json`: requests a second of `of` over those of `over`, the fastest where there are several; `time` turns the
 * ratio round. All at the highest concurrency.
 */
export const RATIOS = [
  {
    name: 'express.call.vsDirectRoute',
    of: 'express.ours 2026-07-28',
    over: ['express.direct'],
    goal: 0.75,
  },
  {
    name: 'express.call.vsDirectRouteOfSameApp',
    of: 'express.ours 2026-07-28',
    over: ['express.direct, module imported'],
  },
  {
    name: 'fastify.call.vsDirectRoute',
    of: 'fastify.ours 2026-07-28',
    over: ['fastify.direct'],
    goal: 0.55,
  },
  {
    name: 'express.call.vsRekog',
    of: 'express.ours 2026-07-28',
    over: ['rekog modern', 'rekog legacy', 'rekog session'],
    goal: 1.7,
  },
  {
    name: 'express.call.vsSdkAlone',
    of: 'express.ours 2026-07-28',
    over: ['sdk modern'],
    goal: 2.0,
  },
  { name: 'list50.vsStatic', of: 'list 50 ours', over: ['list 50 static'] },
  { name: 'list500.vsStatic', of: 'list 500 ours', over: ['list 500 static'], goal: 0.95 },
  {
    name: 'growth.500tools',
    of: 'call with 500 tools',
    over: ['call with 5 tools'],
    time: true,
    goal: 1.05,
  },
  {
    name: 'growth.10000sessions',
    of: 'call among 10,000 sessions',
    over: ['call in the only session'],
    time: true,
    goal: 1.05,
  },
];

/** What is measured in other units: at most so much of it. */
export const LIMITS = { 'startup.500tools.extraMs': 500, 'session.bytes': 2048 };
