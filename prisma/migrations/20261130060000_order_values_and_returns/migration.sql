-- What an order was worth and what was returned, as the store says: without it, nobody sees whether invitations depend on it.

alter table orders add column value numeric(15, 3);
alter table orders add constraint orders_value_check check (value >= 0);
alter table order_items add column returned boolean;
