-- Words for people: durations, clock times and lists as the titles of findings print them.

CREATE OR REPLACE TEMP MACRO human_ms(ms) AS
  CASE WHEN ms IS NULL THEN '?'
       WHEN ms < 1000 THEN round(ms)::BIGINT || ' ms'
       WHEN ms < 120000 THEN printf('%.1f s', ms / 1000)
       WHEN ms < 7200000 THEN printf('%.1f min', ms / 60000)
       WHEN ms < 172800000 THEN printf('%.1f h', ms / 3600000)
       ELSE printf('%.1f d', ms / 86400000) END;

CREATE OR REPLACE TEMP MACRO human_time(moment) AS strftime(moment, '%H:%M:%S');

-- 'a', 'a and b', 'a, b and c', 'a, b, c and 4 more'
CREATE OR REPLACE TEMP MACRO human_list(names) AS
  CASE WHEN names IS NULL OR len(names) = 0 THEN 'none'
       WHEN len(names) = 1 THEN names[1]
       WHEN len(names) <= 8 THEN array_to_string(names[:len(names) - 1], ', ') || ' and ' || names[len(names)]
       ELSE array_to_string(names[:7], ', ') || ' and ' || (len(names) - 7) || ' more' END;

-- {hole} in a template becomes facts['hole']; the template is cut at its braces, every second piece is a name
CREATE OR REPLACE TEMP MACRO fill_in(template, facts) AS
  array_to_string(list_transform(string_split_regex(template, '[{}]'),
    lambda piece, place: CASE WHEN place % 2 = 0 THEN coalesce(facts[piece], '?') ELSE piece END), '');

CREATE OR REPLACE TEMP MACRO ms_between(a, b) AS
  (epoch_us(b) - epoch_us(a)) / 1000.0;
