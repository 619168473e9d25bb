# Copyright
