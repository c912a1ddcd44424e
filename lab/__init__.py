"""The lab: real Kafka brokers and real clients on loopback, playing incidents and recording their logs with
the truth.

`python -m lab play SCENE --kafka VERSION --out DIR` makes one corpus folder; `python -m lab drift --kafka
VERSION` lists what a release says that the catalogue does not know. The product never imports this package.
"""
