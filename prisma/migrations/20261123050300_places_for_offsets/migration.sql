-- Time zones that are offsets are refused, and a client that still had one could save none of the settings beside it. Each
-- becomes a place that keeps that offset all year; one that no place keeps goes, which is UTC.
update clients set config = case
    when place.name is null then config - 'time_zone'
    else jsonb_set(config, '{time_zone}', to_jsonb(place.name)) end
  from (select id, (regexp_match(config ->> 'time_zone', '^([+-])([0-9]{2}):?([0-9]{2})?$')) as parts
          from clients where config ->> 'time_zone' ~ '^[+-]') given
  left join lateral (select case
      -- Etc/GMT-2 is two hours ahead: its sign is the other way round.
      when coalesce(given.parts[3], '00') = '00' and given.parts[2]::int = 0 then 'UTC'
      when coalesce(given.parts[3], '00') = '00' and given.parts[1] = '+' and given.parts[2]::int <= 14
        then 'Etc/GMT-' || given.parts[2]::int
      when coalesce(given.parts[3], '00') = '00' and given.parts[1] = '-' and given.parts[2]::int <= 12
        then 'Etc/GMT+' || given.parts[2]::int
      else (select zone from (values ('+0330', 'Asia/Tehran'), ('+0430', 'Asia/Kabul'), ('+0530', 'Asia/Kolkata'),
              ('+0545', 'Asia/Kathmandu'), ('+0630', 'Asia/Yangon'), ('+0845', 'Australia/Eucla'),
              ('+0930', 'Australia/Darwin'), ('-0930', 'Pacific/Marquesas')) known(sign, zone)
             where sign = given.parts[1] || given.parts[2] || given.parts[3]) end as name) place on true
 where clients.id = given.id;
